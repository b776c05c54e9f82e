import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { KeepReason } from "@rightseat/protocol/http/worktrees";
import type { RunGit } from "../run-git.ts";
import { reasonsToKeep } from "./check-worktree.ts";

/** How a work tree stands; `bytes` is what it takes on disk, or at least that much (`more`). */
export type WorktreeState = { state: "gone" } | { state: "there"; keep: KeepReason[]; bytes: number; more?: true };

/** Files that are looked at for the size of one work tree. */
const MAX_COUNTED_FILES = 20_000;

export async function readWorktreeState(git: RunGit, worktree: { path: string; repository: string }): Promise<WorktreeState> {
	if ((await lstat(worktree.path).catch(() => undefined)) === undefined) return { state: "gone" };
	const [keep, size] = [await reasonsToKeep(git, worktree), await sizeOf(worktree.path)];
	return { state: "there", keep, ...size };
}

async function sizeOf(root: string): Promise<{ bytes: number; more?: true }> {
	const folders = [root];
	let bytes = 0;
	let files = 0;
	for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
		for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
			if (++files > MAX_COUNTED_FILES) return { bytes, more: true };
			const path = join(folder, entry.name);
			if (entry.isDirectory()) folders.push(path);
			else bytes += ((await lstat(path).catch(() => undefined))?.blocks ?? 0) * 512;
		}
	}
	return { bytes };
}
