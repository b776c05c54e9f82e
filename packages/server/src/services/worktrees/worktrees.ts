import { existsSync } from "node:fs";
import { join } from "node:path";
import type { KeepReason, ShownWorktree } from "@rightseat/protocol/http/worktrees";
import type { Cancel, Clock } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import { type ConversationId, conversationId, type IdSource } from "../../core/kernel/ids.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { Lifecycle } from "../../core/ports/lifecycle.ts";
import type { SqlDatabase, SqlRow } from "../../core/ports/sql.ts";
import { numberColumn, textColumn } from "../../core/ports/sql-row.ts";
import type { Git } from "../git/git-client.ts";
import { worktreeProblem } from "../git/git-problems.ts";

/** A work tree that we made for a conversation. */
export interface Worktree {
	path: string;
	conversationId: ConversationId;
	branch: string;
	repository: string;
	createdAt: number;
}
/** A work tree that no conversation has yet; `cwd` is the folder in it to work in. */
export interface FreshWorktree {
	path: string;
	cwd: string;
	branch: string;
	repository: string;
}
/** What became of the work tree of a deleted conversation. */
export interface ReleasedWorktree {
	path: string;
	kept: boolean;
	reason?: KeepReason;
	rescued?: string;
}

/** Work trees of conversations: made, listed, merged back and removed. They outlive their conversation unless somebody says otherwise. */
export interface Worktrees extends Lifecycle {
	/** Rejects with `worktree-refused`. */
	add(wanted: { cwd: string; branch?: string | undefined }): Promise<FreshWorktree>;
	bind(worktree: FreshWorktree, conversationId: ConversationId): void;
	/** No conversation came of it after all. */
	discard(worktree: FreshWorktree): Promise<void>;
	of(conversationId: ConversationId): Worktree | undefined;
	/** To the trash, if nothing would be lost or with `force`. */
	remove(path: string, options: { force: boolean }): Promise<ReleasedWorktree>;
	merge(worktree: Worktree, method: "merge" | "rebase", onOutput: (text: string) => void): Promise<{ commit: string; branch: string }>;
	/** With state and size, as far as they can be told. */
	list(): Promise<ShownWorktree[]>;
}

/** Work trees that we keep note of; more are not made. */
export const MAX_WORKTREES = 200;
const SWEEP_EVERY_MS = 86_400_000;
const ID_CHARS = 8;

export function createWorktrees(deps: {
	home: string;
	git: Git;
	sql: SqlDatabase;
	clock: Clock;
	ids: IdSource;
	logger: Logger;
}): Worktrees {
	const { git, sql, clock } = deps;
	const folder = worktreeFolder(deps.home);
	const trash = join(folder, ".trash");
	let cancelSweep: Cancel = () => undefined;
	const all = () => sql.prepare("SELECT * FROM worktrees ORDER BY created_at DESC").all().map(toWorktree);
	const forget = (path: string) => void sql.prepare("DELETE FROM worktrees WHERE path = ?").run(path);

	async function sweep(): Promise<void> {
		cancelSweep = clock.after(SWEEP_EVERY_MS, () => void sweep());
		try {
			await git.emptyTrash({ cwd: folder, trash, now: clock.now() });
		} catch (error) {
			deps.logger.warn({ err: error }, "The trash of work trees could not be emptied; it is tried again tomorrow");
		}
	}

	return {
		async start() {
			// Nothing is there: then no process is started for it.
			if (existsSync(trash)) void sweep();
		},
		async add({ cwd, branch }) {
			if (all().length >= MAX_WORKTREES) throw worktreeProblem({ reason: "too-many", detail: String(MAX_WORKTREES) }, cwd);
			const id = deps.ids.next().replaceAll("-", "").slice(-ID_CHARS);
			const made = await git.addWorktree({ cwd, branch: branch ?? null, folder, id }, () => undefined);
			if (made.kind === "refused") throw worktreeProblem(made, cwd);
			return made;
		},
		bind({ path, branch, repository }, id) {
			sql
				.prepare("INSERT INTO worktrees (path, conversation_id, branch, repository, created_at) VALUES (?, ?, ?, ?, ?)")
				.run(path, id, branch, repository, clock.now());
		},
		async discard({ path, repository }) {
			await git.removeWorktree({ cwd: repository, path, repository, trash, force: false, now: clock.now() });
		},
		of(id) {
			const row = sql.prepare("SELECT * FROM worktrees WHERE conversation_id = ?").get(id);
			return row === undefined ? undefined : toWorktree(row);
		},
		async remove(path, { force }) {
			const known = all().find((worktree) => worktree.path === path);
			if (known === undefined)
				throw new AppError("not-found", `${path} is no work tree of ours.`, { params: { reason: "worktree", path } });
			const { repository } = known;
			const removed = await git.removeWorktree({ cwd: repository, path, repository, trash, force, now: clock.now() });
			if (!removed.kept) forget(path);
			return { ...removed, path: removed.path ?? path };
		},
		async merge({ path, repository }, method, onOutput) {
			const merged = await git.mergeWorktree({ cwd: repository, path, repository, method }, onOutput);
			if (merged.kind === "refused") throw worktreeProblem(merged, repository);
			return { commit: merged.commit, branch: merged.branch };
		},
		async list() {
			return Promise.all(
				all().map(async ({ createdAt, conversationId: id, ...worktree }) => {
					const state = await git.worktreeState({ cwd: worktree.repository, ...worktree }).catch(() => null);
					return {
						...worktree,
						conversationId: id,
						createdAt: new Date(createdAt).toISOString(),
						...(state ?? { state: "unknown" as const }),
					};
				}),
			);
		},
		close: () => cancelSweep(),
	};
}

/** Where all of them lie: outside of any repository. */
export const worktreeFolder = (home: string): string => join(home, "worktrees");

const toWorktree = (row: SqlRow): Worktree => ({
	path: textColumn(row, "path"),
	conversationId: conversationId(textColumn(row, "conversation_id")),
	branch: textColumn(row, "branch"),
	repository: textColumn(row, "repository"),
	createdAt: numberColumn(row, "created_at"),
});
