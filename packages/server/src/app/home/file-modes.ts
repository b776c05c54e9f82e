import { chmod, lstat, opendir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Conversations } from "../../core/conversations/conversations.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { Lifecycle } from "../../core/ports/lifecycle.ts";
import { worktreeFolder } from "../../services/worktrees/worktrees.ts";

/**
 * Everything in the home directory is readable by its owner only: what was written there with other rights, by hand or by the agent
 * runtime, is made private after the start, and what the runtime keeps of a conversation after each of its turns. The home
 * directory itself is closed to others before anything else happens, so nobody waits for this, however many files there are.
 * What lies in work trees is the person's: its bits are part of what is committed, and a script without them does not run.
 */
export function createFileModes(deps: { home: string; conversations: Pick<Conversations, "onChange">; logger: Logger }): Lifecycle {
	const agent = join(deps.home, "agent");
	const sessions = join(agent, "session-state");
	const worktrees = worktreeFolder(deps.home);
	const stopped = new AbortController();
	const walk = { signal: stopped.signal, left: worktrees };
	let sweep: Promise<void> = Promise.resolve();
	let looks: Promise<void> = Promise.resolve();
	/** Sessions whose look has not begun: one that is asked for meanwhile is the same look. */
	const waiting = new Set<string>();

	async function look(session: string): Promise<void> {
		waiting.delete(session);
		await makeOnePrivate(agent, true);
		for (const entry of (await unlessGone(readdir(agent, { withFileTypes: true }))) ?? [])
			if (entry.isDirectory() || entry.isFile()) await makeOnePrivate(join(agent, entry.name), entry.isDirectory());
		await makePrivate(join(sessions, session), walk);
	}
	const failed = (error: unknown) => deps.logger.warn({ err: error }, "Files of the home directory could not be made private");

	const unsubscribe = deps.conversations.onChange((change) => {
		if (change.kind !== "updated" || change.conversation.status === "streaming") return;
		const session = change.conversation.sdkSessionId;
		if (session === null || waiting.has(session)) return;
		waiting.add(session);
		looks = looks.then(() => look(session)).catch(failed);
	});

	return {
		async start() {
			sweep = makePrivate(deps.home, walk).catch(failed);
		},
		async close() {
			unsubscribe();
			stopped.abort();
			await Promise.all([sweep, looks]);
		},
	};
}

/** A folder with all that lies in it, `left` without. What is removed meanwhile, or was never there, needs nothing. */
async function makePrivate(folder: string, walk: { signal: AbortSignal; left: string }): Promise<void> {
	if (process.platform === "win32") return;
	const entries = await unlessGone(opendir(folder));
	if (entries === undefined) return;
	await makeOnePrivate(folder, true);
	if (folder === walk.left) return entries.close();
	for await (const entry of entries) {
		if (walk.signal.aborted) return;
		const path = join(folder, entry.name);
		if (entry.isDirectory()) await makePrivate(path, walk);
		else if (entry.isFile()) await makeOnePrivate(path, false);
	}
}

async function makeOnePrivate(path: string, isDirectory: boolean): Promise<void> {
	const stat = await unlessGone(lstat(path));
	if (stat !== undefined && (stat.mode & 0o077) !== 0) await unlessGone(chmod(path, stat.mode & (isDirectory ? 0o700 : 0o600)));
}

async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
	try {
		return await work;
	} catch (error) {
		if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return undefined;
		throw error;
	}
}
