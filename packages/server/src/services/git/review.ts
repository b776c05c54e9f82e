import { createHash } from "node:crypto";
import { lstat, readlink } from "node:fs/promises";
import { diffText } from "@rightseat/protocol/diff/hunks";
import type { ReviewedFile } from "@rightseat/protocol/http/git";
import { pathIn, type RawPath, shownPath, splitNul } from "./git-paths.ts";
import { readBlobs } from "./read-blobs.ts";
import { readRegular } from "./read-regular.ts";
import { IGNORE_SUBMODULES } from "./read-status.ts";
import { findBase, type ReviewBase, type ReviewScope } from "./review-base.ts";
import type { RunGit } from "./run-git.ts";
import { workTreeOf } from "./work-tree.ts";

/** Files of one review, and bytes of them that are compared; what is beyond is named without counts. */
export const MAX_REVIEW_FILES = 1_000;
export const MAX_REVIEW_BYTES = 64 * 1_048_576;
export const MAX_REVIEW_FILE_BYTES = 5 * 1_048_576;

export interface Review {
	root: string;
	base: ReviewBase;
	files: ReviewedFile[];
	truncated: boolean;
}

/** One file that differs between the base and the disk. */
export interface Pair {
	raw: RawPath;
	before: Side;
	after: Side;
}
/** `large`: there, and too large to be compared. */
export type Side = { kind: "absent" } | { kind: "large"; mode: string } | { kind: "bytes"; mode: string; bytes: Buffer };

/** What the work tree has that the base has not. Undefined: no repository, or nothing to compare with. */
export async function review(git: RunGit, cwd: string, scope: ReviewScope): Promise<Review | undefined> {
	const found = await comparedWith(git, cwd, scope);
	if (found === undefined) return undefined;
	const { root, base } = found;
	const { pairs, truncated } = await readPairs(git, root, base);
	const files = pairs.map(describe).filter((file) => file !== undefined);
	return { root, base, files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), truncated };
}

/** One file of it; undefined when it does not differ. */
export async function reviewFile(git: RunGit, cwd: string, scope: ReviewScope, path: string): Promise<Pair | undefined> {
	const found = await comparedWith(git, cwd, scope);
	if (found === undefined) return undefined;
	const { pairs } = await readPairs(git, found.root, found.base, path);
	return pairs.find((pair) => describe(pair) !== undefined);
}

async function comparedWith(git: RunGit, cwd: string, scope: ReviewScope) {
	const base = await findBase(git, cwd, scope);
	const root = base === undefined ? undefined : await workTreeOf(git, cwd);
	return base === undefined || root === undefined ? undefined : { root, base };
}

/** Both sides of every file that may differ; with `only` of that one. Reads stored bytes and the disk, and runs no filter. */
async function readPairs(git: RunGit, root: string, base: ReviewBase, only?: string): Promise<{ pairs: Pair[]; truncated: boolean }> {
	const listed = await listDifferent(git, root, base);
	const wanted = only === undefined ? listed : listed.filter(({ raw }) => shownPath(raw) === only);
	const entries = wanted.slice(0, MAX_REVIEW_FILES);
	const blobs = await readBlobs(
		git,
		root,
		entries.map(({ id }) => id),
	);
	let left = MAX_REVIEW_BYTES;
	const pairs: Pair[] = [];
	for (const { raw, mode, id } of entries) {
		const after = await readSide(root, raw, left);
		if (after.kind === "bytes") left -= after.bytes.length;
		pairs.push({ raw, before: storedSide(mode, blobs.get(id)), after });
	}
	return { pairs, truncated: wanted.length > entries.length };
}

interface Different {
	raw: RawPath;
	/** Of the base; `000000` where it has no such file. */
	mode: string;
	id: string;
}

async function listDifferent(git: RunGit, root: string, { commit }: ReviewBase): Promise<Different[]> {
	const untracked = git({ cwd: root, as: "ours", args: ["ls-files", "-o", "-z", "--exclude-standard"] });
	const args = commit === null ? ["ls-files", "-z"] : ["diff-index", "--raw", "-z", "--no-renames", IGNORE_SUBMODULES, commit];
	const [tracked, others] = [await git({ cwd: root, as: "ours", args }), await untracked];
	const files: Different[] = [];
	const parts = splitNul(tracked.stdout);
	const added = (raw: RawPath) => ({ raw, mode: "000000", id: "" });
	if (commit === null) files.push(...parts.map(added));
	else
		for (let index = 0; index + 1 < parts.length; index += 2) {
			const [mode = "", , id = ""] = (parts[index] ?? "").slice(1).split(" ");
			files.push({ raw: parts[index + 1] ?? "", mode, id });
		}
	// A folder here is a repository of its own: what is in it belongs to that.
	files.push(
		...splitNul(others.stdout)
			.filter((raw) => !raw.endsWith("/"))
			.map(added),
	);
	return files.filter(({ mode }) => mode !== "160000");
}

function storedSide(mode: string, bytes: Buffer | undefined): Side {
	if (mode === "000000") return { kind: "absent" };
	return bytes === undefined || bytes.length > MAX_REVIEW_FILE_BYTES ? { kind: "large", mode } : { kind: "bytes", mode, bytes };
}

async function readSide(root: string, raw: RawPath, left: number): Promise<Side> {
	const path = pathIn(root, raw);
	const found = await lstat(path).catch(() => undefined);
	if (found === undefined || found.isDirectory()) return { kind: "absent" };
	if (found.isSymbolicLink()) return { kind: "bytes", mode: "120000", bytes: await readlink(path, "buffer") };
	const mode = (found.mode & 0o100) !== 0 ? "100755" : "100644";
	if (!found.isFile() || found.size > Math.min(MAX_REVIEW_FILE_BYTES, left)) return { kind: "large", mode };
	const bytes = await readRegular(path);
	return bytes === undefined ? { kind: "large", mode } : { kind: "bytes", mode, bytes };
}

/** Undefined when both sides are the same: git lists also what was only touched. */
export function describe({ raw, before, after }: Pair): ReviewedFile | undefined {
	const path = shownPath(raw);
	if (before.kind === "absent" && after.kind === "absent") return undefined;
	const status = before.kind === "absent" ? "added" : after.kind === "absent" ? "deleted" : "modified";
	const seen = after.kind === "bytes" ? { sha256: createHash("sha256").update(after.bytes).digest("hex") } : {};
	if (before.kind === "large" || after.kind === "large")
		return { path, status, binary: true, added: 0, removed: 0, ...seen, uncounted: true };
	const [old, next] = texts(before, after);
	const isSame = old === next;
	if (isSame && before.kind === "bytes" && after.kind === "bytes")
		return before.mode === after.mode ? undefined : { path, status: "mode", binary: false, added: 0, removed: 0, ...seen };
	if (old.includes("\0") || next.includes("\0")) return { path, status, binary: true, added: 0, removed: 0, ...seen };
	const { added, removed } = diffText(old, next, { context: 0 });
	return { path, status, binary: false, added, removed, ...seen };
}

/**
 * Both sides byte for character. A repository that stores plain line feeds and has others on disk (`autocrlf`) would differ in every line:
 * then only the lines themselves are compared.
 */
export function texts(before: Exclude<Side, { kind: "large" }>, after: Exclude<Side, { kind: "large" }>): [string, string] {
	const old = before.kind === "bytes" ? before.bytes.toString("latin1") : "";
	const next = after.kind === "bytes" ? after.bytes.toString("latin1") : "";
	const isConverted = before.kind === "bytes" && !old.includes("\r") && next.includes("\r\n");
	return [old, isConverted ? next.replaceAll("\r\n", "\n") : next];
}
