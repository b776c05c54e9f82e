import { readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { GitHead } from "../../core/ports/folders.ts";

const MAX_PARENTS = 64;
const MAX_POINTER_BYTES = 4_096;
const MAX_PACKED_REFS_BYTES = 4 * 1_048_576;
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** Where a folder's repository stands, from its files: no git program is run, so nothing that a repository configures runs either. */
export async function readGit(folder: string): Promise<GitHead | undefined> {
	let root = folder;
	for (let step = 0; step < MAX_PARENTS; step++) {
		const gitDirectory = await gitDirectoryOf(root);
		if (gitDirectory !== undefined) return readHead(root, gitDirectory);
		const parent = dirname(root);
		if (parent === root) return undefined;
		root = parent;
	}
	return undefined;
}

/** `.git` is a folder, or, in a worktree and a submodule, a file that names one. */
async function gitDirectoryOf(root: string): Promise<string | undefined> {
	const path = join(root, ".git");
	const found = await stat(path).catch(() => undefined);
	if (found?.isDirectory() === true) return path;
	const pointer = found?.isFile() === true ? await readSmall(path) : undefined;
	return pointer?.startsWith("gitdir: ") === true ? resolve(root, pointer.slice(8).trim()) : undefined;
}

async function readHead(root: string, gitDirectory: string): Promise<GitHead | undefined> {
	const text = (await readSmall(join(gitDirectory, "HEAD")))?.trim();
	if (text === undefined) return undefined;
	if (COMMIT.test(text)) return { root, branch: null, head: text, detached: true };
	if (!text.startsWith("ref: ")) return undefined;
	const ref = text.slice(5);
	// Repositories that keep their refs in a table write this name here; what it really is only git can tell.
	if (ref === "refs/heads/.invalid") return { root, branch: null, head: null, detached: false };
	const branch = ref.startsWith("refs/heads/") ? ref.slice(11) : ref;
	return { root, branch, head: (await commitOf(gitDirectory, ref)) ?? null, detached: false };
}

/** Undefined for a branch without a commit. */
async function commitOf(gitDirectory: string, ref: string): Promise<string | undefined> {
	const shared = (await readSmall(join(gitDirectory, "commondir")))?.trim();
	const directory = shared === undefined ? gitDirectory : resolve(gitDirectory, shared);
	const loose = (await readSmall(join(directory, ref)))?.trim();
	if (loose !== undefined && COMMIT.test(loose)) return loose;
	const packed = await readSmall(join(directory, "packed-refs"), MAX_PACKED_REFS_BYTES);
	const line = packed?.split("\n").find((each) => each.endsWith(` ${ref}`));
	const commit = line?.split(" ", 1)[0];
	return commit !== undefined && COMMIT.test(commit) ? commit : undefined;
}

/** Only a plain file: a pipe in its place would never end. */
async function readSmall(path: string, maxBytes = MAX_POINTER_BYTES): Promise<string | undefined> {
	const found = await stat(path).catch(() => undefined);
	if (found?.isFile() !== true || found.size > maxBytes) return undefined;
	return readFile(path, "utf8").catch(() => undefined);
}
