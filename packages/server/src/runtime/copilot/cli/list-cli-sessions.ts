import { lstat, opendir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { SessionPage } from "../../../core/ports/listed-sessions.ts";
import { isSessionId } from "../../open-sessions.ts";
import { HISTORY } from "../session/history-lines.ts";
import { lookAtSession } from "./look-at-session.ts";

/** Sessions of one page. */
export const CLI_PAGE = 100;
/** Folders that are looked at for the order; what is beyond is not listed. */
const MAX_CLI_SESSIONS = 5_000;
const LOOK_AT_ONCE = 32;

/** Where the Copilot CLI of this person keeps its sessions. */
export function cliSessionsFolder(env: Record<string, string | undefined>): string {
	return join(env.COPILOT_HOME || join(env.HOME || homedir(), ".copilot"), "session-state");
}

/** One page of them, the last used first. Only reads; without a CLI there are none. */
export async function listCliSessions(sessions: string, cursor: string | undefined): Promise<SessionPage> {
	const from = cursor !== undefined && /^\d{1,6}$/.test(cursor) ? Number(cursor) : 0;
	const ids = await newestFirst(sessions);
	const next = from + CLI_PAGE;
	const looked = await inBatches(ids.slice(from, next), (id) => lookAtSession(sessions, id));
	return {
		sessions: looked.filter((session) => session !== undefined),
		...(next < ids.length ? { nextCursor: String(next) } : {}),
	};
}

async function newestFirst(sessions: string): Promise<string[]> {
	const names: string[] = [];
	try {
		for await (const { name } of await opendir(sessions)) {
			if (isSessionId(name)) names.push(name);
			if (names.length >= MAX_CLI_SESSIONS) break;
		}
	} catch (error) {
		if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return [];
		throw error;
	}
	const used = await inBatches(names, async (name) => ({
		name,
		at: (await lstat(join(sessions, name, HISTORY)).catch(() => undefined))?.mtimeMs ?? 0,
	}));
	return used.sort((a, b) => b.at - a.at).map(({ name }) => name);
}

/** A disk that is asked for thousands of files at once has no time for anybody else. */
async function inBatches<T, R>(items: readonly T[], look: (item: T) => Promise<R>): Promise<R[]> {
	const all: R[] = [];
	for (let at = 0; at < items.length; at += LOOK_AT_ONCE) all.push(...(await Promise.all(items.slice(at, at + LOOK_AT_ONCE).map(look))));
	return all;
}
