import type { Signed } from "@rightseat/protocol/fleet/command";
import * as z from "zod/mini";
import { AppError } from "../../core/kernel/errors.ts";
import type { Bus } from "../bus.ts";
import { type HostKeys, keyTextSchema, type PublicKeys } from "../crypto/host-keys.ts";
import { parseJson } from "../crypto/parse-json.ts";
import type { Journal } from "../home/journal.ts";
import { createHeldKeys, type HeldKeys } from "../members/content-keys.ts";
import { createMembers, type Members } from "../members/members.ts";
import { boxesOf, createContentKey, takeContentKey } from "../members/rotate-key.ts";
import { type Act, readStatement, signStatement, statementHash } from "../members/statement.ts";
import { buckets, subjects } from "../subjects.ts";

/** Who belongs to the fleet and the keys that they share: on this disk, and as the engine's table has it. Whatever the engine forgets is brought back. */
export interface Roster {
	readonly members: Members;
	readonly held: HeldKeys;
	/** Takes what is new. Rejects when the engine does not answer. One at a time; a call during one makes another. */
	sync(): Promise<void>;
	/** Signs and makes known; it counts when this resolves. Rejects with `fleet-refused` when it does not. */
	say(act: Act): Promise<void>;
	/** A new content key for everybody who is left. */
	rotate(): Promise<void>;
	/** Somebody was removed, and no key was made since. */
	isRotationDue(): boolean;
	/** Keeps a key that came another way than by a box; false: it is not the fleet's. */
	hold(number: number, key: Uint8Array): Promise<boolean>;
	/** The fleet's root key, as its first statement has it. */
	root(): PublicKeys | undefined;
	/** The hash of the statement with this number. */
	headAt(version: number): string | undefined;
	/** The table tells another history than the one that was seen here: somebody is shown something else. */
	isForked(): boolean;
	onChange(listener: () => void): () => void;
}

interface RosterDeps {
	fleet: string;
	keys: HostKeys;
	/** On the host that founded the fleet. */
	root: HostKeys | undefined;
	bus: Bus;
	history: Journal;
	contentKeys: Journal;
	now: () => number;
}

const contentKeySchema = z.object({ number: z.int(), secret: keyTextSchema });
const MAX_RACES = 5;

/** As far as this disk knows; `sync` asks the engine. */
export async function openRoster(deps: RosterDeps): Promise<Roster> {
	const { fleet, keys, bus } = deps;
	const members = createMembers(fleet);
	const held = createHeldKeys(members);
	const table = bus.bucket(buckets.members(fleet));
	const listeners = new Set<() => void>();
	const statements: Signed[] = [];
	let [lastRemoval, lastKey, isForked] = [0, 0, false];

	/** True: it counts from now on. */
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
	const changed = () => {
		for (const listener of listeners) listener();
	};
	async function keepKey(number: number, key: Uint8Array): Promise<void> {
		await deps.contentKeys.append([{ number, secret: Buffer.from(key).toString("base64url") }]);
	}

	for (const value of await deps.history.read()) accept(value);
	for (const value of await deps.contentKeys.read()) {
		const parsed = contentKeySchema.safeParse(value);
		if (parsed.success) held.hold(parsed.data.number, Buffer.from(parsed.data.secret, "base64url"));
	}

	async function takeNews(): Promise<boolean> {
		let isNews = false;
		for (;;) {
			const entry = await table.get(statementKey(members.position().version + 1));
			const value = entry === undefined ? undefined : parseJson(entry.value);
			if (value === undefined || !accept(value)) return isNews;
			await deps.history.append([value]);
			isNews = true;
		}
	}

	/** A table that was deleted is filled again by whoever sees it first. */
	async function restore(): Promise<void> {
		const { version } = members.position();
		const newest = version === 0 ? undefined : await table.get(statementKey(version));
		if (version === 0 || newest !== undefined) {
			const other = newest === undefined ? undefined : readStatement(parseJson(newest.value));
			if (other !== undefined && statementHash(other.signed) !== members.position().head) isForked = true;
			return;
		}
		for (const [index, signed] of statements.entries()) await table.put(statementKey(index + 1), JSON.stringify(signed), undefined);
		const number = members.keyNumber();
		const key = held.find(number);
		if (key !== undefined) await putBoxes(number, boxesOf(fleet, members, number, key), members.commitment(number) ?? "");
	}

	async function takeKey(): Promise<boolean> {
		if (members.keyNumber() === 0 || !held.isBehind()) return false;
		const number = members.keyNumber();
		const entry = await table.get(boxKey(number, members.commitment(number) ?? "", keys.host));
		if (entry === undefined || !takeContentKey(fleet, keys, held, number, entry.value)) return false;
		const key = held.find(number);
		if (key !== undefined) await keepKey(number, key);
		return true;
	}

	async function putBoxes(number: number, boxes: ReadonlyMap<string, string>, commitment: string): Promise<void> {
		for (const [host, box] of boxes) await table.put(boxKey(number, commitment, host), box, undefined);
	}

	const sync = oneAtATime(async () => {
		const isNews = await takeNews();
		await restore();
		const hasKey = await takeKey();
		if (isNews || hasKey) changed();
	});

	async function say(act: Act): Promise<void> {
		const by = act.kind === "found" || members.find(keys.host)?.role !== "full" ? "root" : keys.host;
		// Whoever leaves speaks for itself.
		const isLeaving = act.kind === "remove" && act.host === keys.host;
		const [signer, name] = by === "root" && deps.root !== undefined && !isLeaving ? [deps.root, "root"] : [keys, keys.host];
		for (let race = 0; race < MAX_RACES; race++) {
			const statement = members.next(act, deps.now());
			const signed = signStatement(signer, name, statement);
			checkBeforehand(signed);
			if (await put(statement.version, signed)) {
				if (!isKnown(signed) && accept(signed)) await deps.history.append([signed]);
				bus.publish(subjects.members(fleet), Buffer.alloc(0));
				return changed();
			}
			await sync();
		}
		throw notSaid("busy");
	}
	const isKnown = ({ signature }: Signed) => statements.some((each) => each.signature === signature);

	/** What would not count must not stand in the table, where everybody would stumble over it. */
	function checkBeforehand(signed: Signed): void {
		const trial = createMembers(fleet);
		for (const each of statements) trial.accept(each);
		const refusal = trial.accept(signed);
		if (refusal !== undefined) throw notSaid(refusal);
	}

	/** False: somebody was faster. An answer that was lost does not mean that it was not written. */
	async function put(version: number, signed: Signed): Promise<boolean> {
		try {
			const entry = await table.get(statementKey(version));
			const value = entry === undefined ? undefined : parseJson(entry.value);
			if (value !== undefined && accept(value)) {
				await deps.history.append([value]);
				return false;
			}
			// What stands there and does not count was made up; it must not keep us from going on.
			return (await table.put(statementKey(version), JSON.stringify(signed), entry?.revision)) !== undefined;
		} catch (error) {
			await sync();
			if (isKnown(signed)) return true;
			throw error;
		}
	}

	return {
		...{ members, held, sync, say },
		async rotate() {
			const made = createContentKey(fleet, members);
			await putBoxes(made.act.number, made.boxes, made.act.commitment);
			await keepKey(made.act.number, made.key);
			await say(made.act);
			held.hold(made.act.number, made.key);
			changed();
		},
		isRotationDue: () => lastRemoval > lastKey,
		async hold(number, key) {
			if (!held.hold(number, key)) return false;
			await keepKey(number, key);
			return true;
		},
		root() {
			const first = readStatement(statements[0])?.statement.act;
			return first?.kind === "found" ? first.root : undefined;
		},
		headAt(version) {
			const signed = statements[version - 1];
			return signed === undefined ? undefined : statementHash(signed);
		},
		isForked: () => isForked,
		onChange(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
	};
}

/** Runs are never side by side; whoever asks during one gets the next. */
function oneAtATime(run: () => Promise<void>): () => Promise<void> {
	let [current, next]: (Promise<void> | undefined)[] = [];
	const begin = (): Promise<void> => {
		current = run().finally(() => {
			current = undefined;
		});
		return current;
	};
	return () => {
		if (current === undefined) return begin();
		next ??= current
			.catch(() => undefined)
			.then(() => {
				next = undefined;
				return begin();
			});
		return next;
	};
}

const notSaid = (refusal: string) =>
	new AppError("fleet-refused", `Who belongs to the fleet was not changed (${refusal}). Only hosts with the role full may; try again.`, {
		params: { reason: "members", detail: refusal },
	});

const statementKey = (version: number) => `s.${version}`;
/** Two hosts may make a key of the same number at once; the history decides whose it is. */
const boxKey = (number: number, commitment: string, host: string) => `box.${number}.${commitment.slice(0, 16)}.${host}`;
