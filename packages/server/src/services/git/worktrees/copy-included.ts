import { constants } from "node:fs";
import { copyFile, lstat, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { pathIn, splitNul } from "../git-paths.ts";
import type { RunGit } from "../run-git.ts";

export const MAX_INCLUDED_FILES = 1_000;
export const MAX_INCLUDED_BYTES = 256 * 1_048_576;

/**
 * Copies what `.worktreeinclude` names and git ignores, such as `.env`: a new work tree has only what is committed. Regular files only, never over a file
 * that is there. Without the file nothing is copied.
 */
export async function copyIncluded(git: RunGit, repository: string, path: string): Promise<void> {
	const list = async (...rules: string[]) =>
		splitNul((await git({ cwd: repository, as: "ours", args: ["ls-files", "-o", "-i", "-z", ...rules] })).stdout);
	const named = await list(`--exclude-from=${repository}/.worktreeinclude`);
	if (named.length === 0) return;
	const ignored = new Set(await list("--exclude-standard"));
	let left = MAX_INCLUDED_BYTES;
	for (const raw of named.filter((file) => ignored.has(file)).slice(0, MAX_INCLUDED_FILES)) {
		const from = pathIn(repository, raw);
		const found = await lstat(from).catch(() => undefined);
		if (found?.isFile() !== true || found.size > left) continue;
		left -= found.size;
		const to = pathIn(path, raw);
		await mkdir(Buffer.from(dirname(to.toString("latin1")), "latin1"), { recursive: true });
		// Fails when something is there; then that stays. The mode comes with the copy.
		await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE).catch(() => undefined);
	}
}
