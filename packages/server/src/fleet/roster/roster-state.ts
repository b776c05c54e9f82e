import type { Signed } from "@rightseat/protocol/fleet/command";
import * as z from "zod/mini";
import { keyTextSchema, type PublicKeys } from "../crypto/host-keys.ts";
import type { Journal } from "../home/journal.ts";
import { createHeldKeys, type HeldKeys } from "../members/content-keys.ts";
import { createMembers, type Members, type StatementRefusal } from "../members/members.ts";
import { type Role, readStatement, statementHash } from "../members/statement.ts";

const contentKeySchema = z.object({ number: z.int(), secret: keyTextSchema });

/** Members and keys as far as this disk knows them. Whatever is taken is on the disk when it counts for others. */
export interface RosterState {
	readonly members: Members;
	readonly held: HeldKeys;
	/** The history, the first statement first. */
	statements(): readonly Signed[];
	isKnown(signed: Signed): boolean;
	/** True: it is the next statement, and counts from now on. */
	take(value: unknown): Promise<boolean>;
	/** Would it count? */
	judge(signed: Signed): StatementRefusal | undefined;
	keepKey(number: number, key: Uint8Array): Promise<void>;
	/** Somebody was removed, and no key was made since. */
	isRotationDue(): boolean;
	root(): PublicKeys | undefined;
	/** What newcomers may do unless the invitation says something else. */
	newcomers(): Role;
	headAt(version: number): string | undefined;
	isForked(): boolean;
	/** Another statement than ours stands at our place. */
	fork(): void;
}

export async function openRosterState(fleet: string, files: { history: Journal; contentKeys: Journal }): Promise<RosterState> {
	const members = createMembers(fleet);
	const held = createHeldKeys(members);
	const statements: Signed[] = [];
	let [lastRemoval, lastKey, isForked] = [0, 0, false];

	function accept(value: unknown): boolean {
		const refusal = members.accept(value);
		const read = readStatement(value);
		if (refusal === "forked") isForked = true;
		if (refusal !== undefined || read === undefined) return false;
		statements.push(read.signed);
		const { version, act } = read.statement;
		if (act.kind === "remove") lastRemoval = version;
		if (act.kind === "found" || act.kind === "key") lastKey = version;
		return true;
	}
	const beginning = () => {
		const first = readStatement(statements[0])?.statement.act;
		return first?.kind === "found" ? first : undefined;
	};
	for (const value of await files.history.read()) accept(value);
	for (const value of await files.contentKeys.read()) {
		const parsed = contentKeySchema.safeParse(value);
		if (parsed.success) held.hold(parsed.data.number, Buffer.from(parsed.data.secret, "base64url"));
	}
	return {
		...{ members, held, statements: () => statements, isForked: () => isForked, isRotationDue: () => lastRemoval > lastKey },
		isKnown: ({ signature }) => statements.some((each) => each.signature === signature),
		async take(value) {
			if (!accept(value)) return false;
			await files.history.append([value]);
			return true;
		},
		judge: members.judge,
		keepKey: (number, key) => files.contentKeys.append([{ number, secret: Buffer.from(key).toString("base64url") }]),
		root: () => beginning()?.root,
		newcomers: () => beginning()?.newcomers ?? "full",
		headAt(version) {
			const signed = statements[version - 1];
			return signed === undefined ? undefined : statementHash(signed);
		},
		fork() {
			isForked = true;
		},
	};
}
