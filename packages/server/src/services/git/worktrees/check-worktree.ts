import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import type { KeepReason } from "@rightseat/protocol/http/worktrees";
import { pathIn, type RawPath, splitNul } from "../git-paths.ts";
import { readOperation } from "../operation.ts";
import { readStatus } from "../read-status.ts";
import type { RunGit } from "../run-git.ts";

/** Folders that a command makes again; whatever else git ignores may be the only copy. */
const MADE_AGAIN =
	/(?:^|\/)(?:node_modules|\.venv|venv|__pycache__|target|dist|build|out|\.next|\.nuxt|\.turbo|\.cache|coverage|\.gradle|\.pytest_cache|\.mypy_cache)\//;

/**
 * Everything that would be lost with a work tree. Git itself asks only for changed and untracked files: it would delete what is ignored, repositories in ignored
 * folders, edits that are hidden from it, and leave commits behind that no branch names.
 */
export async function reasonsToKeep(git: RunGit, worktree: { path: string; repository: string }): Promise<KeepReason[]> {
	const { path } = worktree;
	const status = await readStatus(git, path);
	if (status === undefined) return ["unreadable"];
	const reasons: KeepReason[] = [];
	if (status.files.length > 0 || (await hasEditedSubmodule(git, path))) reasons.push("uncommitted");
	if ((await readOperation(git, path)).name !== undefined) reasons.push("in-progress");
	if (await hasOwnCommits(git, path, status.branch)) reasons.push("unmerged");
	const flagged = splitNul((await git({ cwd: path, as: "ours", args: ["ls-files", "-v", "-z"] })).stdout);
	// Lower case: assume-unchanged. S: skip-worktree.
	if (flagged.some((entry) => /^(?:[a-z]|S) /.test(entry))) reasons.push("hidden-edits");
	const ignored = splitNul((await git({ cwd: path, as: "ours", args: ["ls-files", "-o", "-i", "-z", "--exclude-standard"] })).stdout);
	// A name that ends in a slash is a repository of its own, which git does not enter.
	if (await hasRepository(path, [...ignored, ...status.files.map(({ raw }) => raw)])) reasons.push("nested-repository");
	if (await hasOnlyCopies(worktree, ignored)) reasons.push("ignored-files");
	if (await isLocked(git, worktree)) reasons.push("locked");
	if (await isInUse(path)) reasons.push("in-use");
	return reasons;
}

/** Each is looked at by itself, with its own filters switched off. */
async function hasEditedSubmodule(git: RunGit, path: string): Promise<boolean> {
	const entries = splitNul((await git({ cwd: path, as: "ours", args: ["ls-files", "-s", "-z"] })).stdout);
	for (const entry of entries.filter((text) => text.startsWith("160000 "))) {
		const folder = pathIn(path, entry.slice(entry.indexOf("\t") + 1)).toString("utf8");
		// One that is not checked out is an empty folder of the repository around it.
		if ((await lstat(join(folder, ".git")).catch(() => undefined)) === undefined) continue;
		const status = await readStatus(git, folder);
		if (status === undefined || status.files.length > 0 || (await hasEditedSubmodule(git, folder))) return true;
	}
	return false;
}

/** Commits that nothing else reaches: no other branch and no remote one. */
async function hasOwnCommits(git: RunGit, path: string, branch: string | null): Promise<boolean> {
	const others = branch === null ? [] : [`--exclude=refs/heads/${branch}`];
	const args = ["rev-list", "--max-count=1", "HEAD", "--not", ...others, "--glob=refs/heads/*", "--remotes"];
	const { code, stdout } = await git({ cwd: path, as: "ours", args });
	return code !== 0 || stdout.length > 0;
}

/** Where there are too many untracked files folders are named as well, so the name alone is not enough. */
async function hasRepository(path: string, names: readonly RawPath[]): Promise<boolean> {
	for (const raw of names) {
		if (raw.endsWith("/") && (await lstat(pathIn(path, `${raw}.git`)).catch(() => undefined)) !== undefined) return true;
	}
	return false;
}

/** Ignored files that are not in the repository's own folder byte for byte. */
async function hasOnlyCopies({ path, repository }: { path: string; repository: string }, ignored: readonly RawPath[]): Promise<boolean> {
	for (const raw of ignored) {
		if (raw.endsWith("/") || MADE_AGAIN.test(`/${raw}`)) continue;
		const [here, there] = await Promise.all([path, repository].map((root) => readFile(pathIn(root, raw)).catch(() => undefined)));
		if (here !== undefined && (there === undefined || !here.equals(there))) return true;
	}
	return false;
}

async function isLocked(git: RunGit, { path, repository }: { path: string; repository: string }): Promise<boolean> {
	const { stdout } = await git({ cwd: repository, as: "ours", args: ["worktree", "list", "--porcelain", "-z"] });
	const entry = stdout
		.toString("utf8")
		.split("\0\0")
		.find((text) => text.split("\0").includes(`worktree ${path}`));
	return entry !== undefined && /(?:^|\0)locked/.test(entry);
}

/** A process stands in it. Only Linux tells. */
async function isInUse(path: string): Promise<boolean> {
	const pids = await readdir("/proc").catch(() => []);
	for (const pid of pids) {
		if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue;
		const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
		if (cwd === path || cwd?.startsWith(`${path}/`) === true) return true;
	}
	return false;
}
