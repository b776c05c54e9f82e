import { createHash } from "node:crypto";
import { lstat, mkdtemp, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyChanges } from "@rightseat/protocol/diff/apply-changes";
import { diffText } from "@rightseat/protocol/diff/hunks";
import { type CommitRefusal, refused } from "./commit-refusal.ts";
import { pathIn, type RawPath, shownPath } from "./git-paths.ts";
import { readRegular } from "./read-regular.ts";
import { texts } from "./review.ts";
import type { RunGit } from "./run-git.ts";

/** Of one file in a commit made here: it is held in memory. */
const MAX_COMMIT_FILE_BYTES = 64 * 1_048_576;

/** An index with the last commit and the chosen files over it; its owner removes the folder. */
export type TemporaryIndex = { kind: "index"; path: string; folder: string } | ({ kind: "refused" } & CommitRefusal);

export interface IndexContent {
	/** The top of the work tree. */
	root: string;
	/** Null before the first commit. */
	head: string | null;
	files: readonly RawPath[];
	/** SHA-256 by shown path. */
	seen: Readonly<Record<string, string>>;
	/** Ids of hunks by shown path: only these are taken. */
	hunks: Readonly<Record<string, readonly string[]>>;
}

/** Puts in exactly the bytes that are on disk now, and only if they are the ones that the person saw. */
export async function buildIndex(git: RunGit, { root, head, files, seen, hunks }: IndexContent): Promise<TemporaryIndex> {
	const folder = await mkdtemp(join(tmpdir(), "rightseat-commit-"));
	const path = join(folder, "index");
	const failed = async (refusal: { kind: "refused" } & CommitRefusal) => {
		await rm(folder, { recursive: true, force: true });
		return refusal;
	};
	const env = { GIT_INDEX_FILE: path };
	const base = await git({ cwd: root, as: "ours", env, args: ["read-tree", head ?? "--empty"] });
	if (base.code !== 0) return failed(refused("failed", base.stderr));
	let entries = "";
	for (const raw of files) {
		const entry = await entryOf(git, { root, head, raw, seen: seen[shownPath(raw)], hunks: hunks[shownPath(raw)] });
		if (typeof entry !== "string") return failed(entry);
		entries += entry;
	}
	const input = Buffer.from(entries, "latin1");
	const update = await git({ cwd: root, as: "ours", env, input, args: ["update-index", "-z", "--add", "--remove", "--index-info"] });
	if (update.code !== 0) return failed(refused("failed", update.stderr));
	// Hooks that ask which files are changed would otherwise be told: all of them. Its exit only says that some are.
	await git({ cwd: root, as: "ours", env, args: ["update-index", "-q", "--refresh"] });
	return { kind: "index", path, folder };
}

const GONE = `0 ${"0".repeat(40)}`;

/** One line of `update-index --index-info`. */
async function entryOf(
	git: RunGit,
	{
		root,
		head,
		raw,
		seen,
		hunks,
	}: Pick<IndexContent, "root" | "head"> & { raw: RawPath; seen?: string | undefined; hunks?: readonly string[] | undefined },
): Promise<string | ({ kind: "refused" } & CommitRefusal)> {
	const at = pathIn(root, raw);
	const found = await lstat(at).catch((error: unknown) => codeOf(error));
	const shown = shownPath(raw);
	if (found === "ENOENT" || found === "ENOTDIR")
		return seen === undefined || seen === "" ? `${GONE}\t${raw}\0` : refused("changed-since", shown);
	if (typeof found === "string") return refused("not-a-file", shown);
	if (found.isDirectory()) return submoduleEntry(git, { root, raw });
	if (!found.isFile() && !found.isSymbolicLink()) return refused("not-a-file", shown);
	if (found.size > MAX_COMMIT_FILE_BYTES) return refused("too-large", shown);
	const bytes = found.isSymbolicLink() ? await readlink(at, "buffer") : await readRegular(at);
	if (bytes === undefined) return refused("not-a-file", shown);
	if (seen !== undefined && seen !== createHash("sha256").update(bytes).digest("hex")) return refused("changed-since", shown);
	const taken = hunks === undefined ? bytes : await onlyHunks(git, { root, head, shown, bytes, hunks });
	if (taken === undefined) return refused("changed-since", shown);
	const mode = found.isSymbolicLink() ? "120000" : (found.mode & 0o100) !== 0 ? "100755" : "100644";
	// A link's target is stored as it is; a file goes through the filters that the person set up, as `git add` would do it.
	const filters = found.isSymbolicLink() || shown.includes("\\x") ? ["--no-filters"] : [`--path=${shown}`];
	const stored = await git({ cwd: root, as: "ours", input: taken, args: ["hash-object", "-w", ...filters, "--stdin"] });
	if (stored.code !== 0) return refused("failed", stored.stderr);
	return `${mode} ${stored.stdout.toString("latin1").trim()}\t${raw}\0`;
}

/** What the last commit has with only these changes of the disk made; undefined when one of them is not there any more. */
async function onlyHunks(
	git: RunGit,
	{ root, head, shown, bytes, hunks }: Pick<IndexContent, "root" | "head"> & { shown: string; bytes: Buffer; hunks: readonly string[] },
): Promise<Buffer | undefined> {
	const stored = head === null ? undefined : await git({ cwd: root, as: "ours", args: ["cat-file", "blob", `${head}:${shown}`] });
	const side = (content: Buffer) => ({ kind: "bytes" as const, mode: "", bytes: content });
	const [before, after] = texts(stored?.code === 0 ? side(stored.stdout) : { kind: "absent" }, side(bytes));
	const known = diffText(before, after).hunks;
	if (!hunks.every((id) => known.some((hunk) => hunk.id === id))) return undefined;
	const changes = known.filter(({ id }) => hunks.includes(id)).flatMap((hunk) => hunk.changes);
	return Buffer.from(applyChanges(before, after, changes), "latin1");
}

/** A folder in git's list is a repository in the repository. Only the commit that it stands at can be taken. */
async function submoduleEntry(
	git: RunGit,
	{ root, raw }: { root: string; raw: RawPath },
): Promise<string | ({ kind: "refused" } & CommitRefusal)> {
	const path = raw.replace(/\/$/, "");
	const known = await git({ cwd: root, as: "ours", args: ["ls-files", "-s", "-z", "--", shownPath(path)] });
	if (!known.stdout.toString("latin1").startsWith("160000 ")) return refused("not-a-file", shownPath(raw));
	const head = await git({ cwd: join(root, shownPath(path)), as: "ours", args: ["rev-parse", "HEAD"] });
	return head.code === 0 ? `160000 ${head.stdout.toString("latin1").trim()}\t${path}\0` : refused("not-a-file", shownPath(raw));
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "unknown");
