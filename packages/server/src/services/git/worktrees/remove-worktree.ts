import { cp, lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { KeepReason } from "@rightseat/protocol/http/worktrees";
import type { RunGit } from "../run-git.ts";
import { reasonsToKeep } from "./check-worktree.ts";

export interface WorktreeRemoval {
	path: string;
	repository: string;
	/** On the same disk. */
	trash: string;
	/** Goes to the trash also when something speaks against it. */
	force: boolean;
	now: number;
}
/** `rescued`: the branch that names commits which nothing else would have named. */
export interface RemovedWorktree {
	kept: boolean;
	/** Where it is now: its own place, or the trash; null when it was gone already. */
	path: string | null;
	reason?: KeepReason;
	rescued?: string;
}

/** How long the trash keeps a work tree. */
export const TRASH_DAYS = 7;

/** Nothing is deleted at once: the folder goes to the trash in one step, with what git knew of it, and from there after a week. */
export async function removeWorktree(git: RunGit, removal: WorktreeRemoval): Promise<RemovedWorktree> {
	const { path, repository, trash, force, now } = removal;
	if ((await lstat(path).catch(() => undefined)) === undefined) return { kept: false, path: null };
	const reasons = await reasonsToKeep(git, removal);
	const [reason] = reasons;
	if (reason !== undefined && !force) return { kept: true, path, reason };
	const rescued = await rescue(git, path, now);
	const admin = await git({ cwd: path, as: "ours", args: ["rev-parse", "--git-dir"] });
	await mkdir(trash, { recursive: true, mode: 0o700 });
	const there = join(trash, `${now}-${basename(path)}`);
	if (admin.code === 0) await keepAdmin(resolve(path, admin.stdout.toString("utf8").trim()), `${there}.git-files`);
	try {
		await rename(path, there);
	} catch {
		return { kept: true, path, reason: "failed" };
	}
	// The folder is gone from its place, so git forgets only its own notes about it. Twice: also when it is locked.
	await git({ cwd: repository, as: "ours", args: ["worktree", "remove", "--force", "--force", path] });
	return { kept: false, path: there, ...(rescued === undefined ? {} : { rescued }) };
}

/** A commit that only a detached head held would be lost in time. */
async function rescue(git: RunGit, path: string, now: number): Promise<string | undefined> {
	const head = await git({ cwd: path, as: "ours", args: ["symbolic-ref", "-q", "HEAD"] });
	if (head.code === 0) return undefined;
	const own = await git({ cwd: path, as: "ours", args: ["rev-list", "--max-count=1", "HEAD", "--not", "--branches", "--remotes"] });
	if (own.code !== 0 || own.stdout.length === 0) return undefined;
	const name = `rs/rescue-${now}`;
	const made = await git({ cwd: path, as: "ours", args: ["branch", name, "HEAD"] });
	return made.code === 0 ? name : undefined;
}

async function keepAdmin(from: string, to: string): Promise<void> {
	for (const name of ["HEAD", "index", "logs"]) await cp(join(from, name), join(to, name), { recursive: true }).catch(() => undefined);
}

/** Deletes what has been in the trash for longer than a week. Names that are not ours stay. */
export async function emptyTrash(trash: string, now: number): Promise<number> {
	let removed = 0;
	for (const name of await readdir(trash).catch(() => [])) {
		const since = Number(/^(\d{13})-/.exec(name)?.[1] ?? Number.NaN);
		if (!(now - since > TRASH_DAYS * 86_400_000)) continue;
		await rm(join(trash, name), { recursive: true, force: true });
		removed += 1;
	}
	return removed;
}
