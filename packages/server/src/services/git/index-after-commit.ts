import { type RawPath, splitNul } from "./git-paths.ts";
import type { RunGit } from "./run-git.ts";

const MAX_INDEX_BYTES = 256 * 1_048_576;

/**
 * The person's index does not know of a commit that was made through another one, and would show it reversed. Each committed path gets the new entry if its entry
 * was that of the commit before; one that the person had staged otherwise stays as it is. False: it could not be done, and git says so to the person itself.
 */
export async function catchUpIndex(
	git: RunGit,
	{ root, before, after }: { root: string; before: string | null; after: string },
): Promise<boolean> {
	const base = before ?? (await emptyTree(git, root));
	const args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-commit-id", base, after];
	const [changed, entries] = await Promise.all([
		git({ cwd: root, as: "ours", args }),
		git({ cwd: root, as: "ours", args: ["ls-files", "-s", "-z"], maxBytes: MAX_INDEX_BYTES }),
	]);
	if (changed.code !== 0 || entries.code !== 0) return false;
	const update = entriesToSet(splitNul(changed.stdout), splitNul(entries.stdout));
	if (update !== "") {
		const set = ["update-index", "-z", "--add", "--remove", "--index-info"];
		const written = await git({ cwd: root, as: "ours", args: set, input: Buffer.from(update, "latin1") });
		if (written.code !== 0) return false;
	}
	await git({ cwd: root, as: "ours", args: ["update-index", "-q", "--refresh"] });
	return true;
}

/** Lines for `update-index --index-info`, from `diff-tree --raw -z` and `ls-files -s -z`. */
function entriesToSet(changed: readonly string[], entries: readonly string[]): string {
	const present = new Map<RawPath, string>();
	for (const entry of entries) {
		const tab = entry.indexOf("\t");
		const [mode, hash, stage] = entry.slice(0, tab).split(" ");
		present.set(entry.slice(tab + 1), stage === "0" ? `${mode} ${hash}` : "unmerged");
	}
	let lines = "";
	for (let index = 0; index + 1 < changed.length; index += 2) {
		const [oldMode, newMode, oldHash, newHash] = (changed[index] ?? "").slice(1).split(" ");
		const path = changed[index + 1] ?? "";
		const old = oldMode === "000000" ? undefined : `${oldMode} ${oldHash}`;
		if (present.get(path) !== old) continue;
		lines += newMode === "000000" ? `0 ${newHash}\t${path}\0` : `${newMode} ${newHash}\t${path}\0`;
	}
	return lines;
}

async function emptyTree(git: RunGit, root: string): Promise<string> {
	const { stdout } = await git({ cwd: root, as: "ours", args: ["hash-object", "-t", "tree", "--stdin"], input: "" });
	return stdout.toString("latin1").trim();
}
