import { mkdir, readFile, rename, rm } from "node:fs/promises";
import * as z from "zod/mini";
import type { Cancel, Clock } from "../../core/kernel/clock.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { Bus } from "../bus.ts";
import { parseJson } from "../crypto/parse-json.ts";
import { inviteSchema } from "../pairing/invite-code.ts";
import { INVITE_LIFE_MS } from "../pairing/pair-inviter.ts";
import { runInvite } from "../pairing/run-invite.ts";
import type { Roster } from "../roster/roster.ts";
import type { SessionDeps } from "./session-deps.ts";

const LOOK_MS = 1_000;
/** Invitations that are open at once. */
const MAX_OPEN = 16;

const orderSchema = z.object({ invite: inviteSchema, role: z.enum(["watch", "talk", "full"]), at: z.number() });
/** An invitation that a command left for the server to answer: whoever has its code may join. */
export type InviteOrder = z.infer<typeof orderSchema>;

/** Answers invitations that commands leave in a folder, so that whoever invited need not wait. */
export function createInviteDesk(deps: {
	/** The files of those that wait. */
	list: () => Promise<string[]>;
	bus: Bus;
	roster: Roster;
	clock: Clock;
	logger: Logger;
	isServing: () => boolean;
	share: SessionDeps["share"];
}) {
	const { clock, logger } = deps;
	const closing = new AbortController();
	let open = 0;
	let cancel: Cancel = () => undefined;

	async function look(): Promise<void> {
		for (const file of deps.isServing() ? await deps.list() : []) if (open < MAX_OPEN) await take(file).catch(trouble);
		if (!closing.signal.aborted) cancel = clock.after(LOOK_MS, () => void look());
	}
	async function take(file: string): Promise<void> {
		const parsed = orderSchema.safeParse(parseJson(await readFile(file, "utf8")));
		// The command waits for that name.
		const taken = `${file}.taken`;
		await rename(file, taken);
		if (!parsed.success || Math.abs(clock.now() - parsed.data.at) > INVITE_LIFE_MS) return await rm(taken, { force: true });
		const { invite, role } = parsed.data;
		open += 1;
		void runInvite(invite, { ...deps, role, decide: () => Promise.resolve(true), onTrouble: trouble, signal: closing.signal }).then(
			async (outcome) => {
				open -= 1;
				if (outcome.kind === "joined") logger.info({ host: outcome.host, name: outcome.name }, "A host has joined the fleet");
				await rm(taken, { force: true });
			},
		);
	}
	const trouble = (error: unknown) => logger.warn({ err: error }, "A host that was invited could not be let in; it tries again");

	cancel = clock.after(0, () => void look());
	return {
		close() {
			cancel();
			closing.abort();
		},
	};
}

/** For the command: makes the folder that the server looks into. */
export const makeInviteFolder = (folder: string) => mkdir(folder, { recursive: true, mode: 0o700 });
