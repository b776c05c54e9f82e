import { lstat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { AppError } from "../../../core/kernel/errors.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { AgentRuntime, OpenSession } from "../../../core/ports/agent-runtime.ts";
import type { HandedOver, HandOver, SaidBefore } from "../../../core/ports/listed-sessions.ts";
import { isSessionId } from "../../open-sessions.ts";
import { HISTORY } from "../session/history-lines.ts";
import { compareHistories } from "./compare-histories.ts";
import { notCopied } from "./copy-folder.ts";
import { handOverSession } from "./hand-over.ts";
import { cliSessionsFolder, listCliSessions } from "./list-cli-sessions.ts";
import { isHeld } from "./look-at-session.ts";
import { readSaidBefore } from "./said-before.ts";
import { takeSession } from "./take-session.ts";

/** The sessions of the Copilot CLI on this machine. They are copied, here and back; the CLI's own folder is written to by `handOver` alone. */
export interface CliSessions extends Required<Pick<AgentRuntime, "listSessions" | "takeSession" | "handOver">> {
	/**
	 * As whom a conversation opens its session: by the id that it had in the CLI. What the CLI has added since is taken first, unless it has it open or both
	 * went on. Never rejects.
	 */
	follow(options: OpenSession, close: (sessionId: string) => Promise<void>): Promise<OpenSession>;
}

export function createCliSessions(deps: { sessions: string; env: Record<string, string | undefined>; logger: Logger }): CliSessions {
	const { sessions: ours, logger } = deps;
	const theirs = cliSessionsFolder(deps.env);
	// `COPILOT_HOME` may name our own folder.
	const isApart = resolve(theirs) !== resolve(ours);

	async function take(sessionId: string): Promise<SaidBefore> {
		await takeSession({ from: theirs, to: ours, sessionId });
		return readSaidBefore(ours, sessionId);
	}
	async function hasMore(sessionId: string): Promise<boolean> {
		const folder = join(theirs, sessionId);
		const [ourSize, theirSize] = await Promise.all([sizeOf(join(ours, sessionId, HISTORY)), sizeOf(join(folder, HISTORY))]);
		// Nearly always: whole histories are compared only where there may be something.
		if (theirSize <= ourSize) return false;
		return (await compareHistories(join(ours, sessionId, HISTORY), join(folder, HISTORY))) === "ahead" && !(await isHeld(folder));
	}
	return {
		listSessions: async ({ cursor }) => (isApart ? listCliSessions(theirs, cursor) : { sessions: [] }),
		async takeSession(sessionId) {
			if (!isApart || !isSessionId(sessionId)) throw notCopied("it is not a session of the Copilot CLI.");
			return take(sessionId).catch((error: unknown) => {
				logger.warn({ sessionId, err: error }, "A session of the Copilot CLI could not be copied");
				throw refused(error);
			});
		},
		async handOver({ sessionId, newSessionId, cwd }: HandOver): Promise<HandedOver> {
			if (!isApart || !isSessionId(sessionId)) throw notCopied("it is no session of ours.");
			const there = await handOverSession({ from: ours, to: theirs, sessionId, newSessionId }).catch((error: unknown) => {
				logger.warn({ sessionId, err: error }, "A session could not be handed to the Copilot CLI");
				throw refused(error);
			});
			return { sessionId: there, isCopy: there !== sessionId, command: `cd ${quoted(cwd)} && copilot --resume=${there}` };
		},
		async follow(options, close) {
			const sessionId = options.previous ?? options.sessionId;
			try {
				if (isApart && isSessionId(sessionId) && (await hasMore(sessionId))) {
					await close(sessionId);
					await takeSession({ from: theirs, to: ours, sessionId });
					options.onContinued?.();
				}
			} catch (error) {
				logger.warn({ sessionId, err: error }, "What the Copilot CLI added to a session could not be taken over");
			}
			return { ...options, sessionId };
		},
	};
}

const sizeOf = async (path: string) => (await lstat(path).catch(() => undefined))?.size ?? -1;

const quoted = (path: string) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

function refused(error: unknown): AppError {
	if (error instanceof AppError) return error;
	const isNothing = error instanceof Error && "code" in error && error.code === "ENOENT";
	return notCopied(isNothing ? "there is nothing to copy yet." : "its files cannot be read or written.", error);
}
