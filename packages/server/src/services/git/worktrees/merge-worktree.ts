import { readOperation } from "../operation.ts";
import { readStatus } from "../read-status.ts";
import type { RunGit } from "../run-git.ts";
import { refuseWorktree, type WorktreeRefusal } from "./worktree-refusal.ts";

export interface WorktreeMerge {
	path: string;
	repository: string;
	/** `rebase`: its commits go on top of the repository's branch, which then follows. `merge`: a merge, or a mere step forward where that is enough. */
	method: "merge" | "rebase";
}
export type MergedWorktree = { kind: "merged"; commit: string; branch: string } | WorktreeRefusal;

const MERGE_LIMIT_MS = 5 * 60_000;

/** Brings the commits of a work tree into the repository's own branch. Nothing is begun that would end in a conflict, and nothing in a folder with changes. */
export async function mergeWorktree(
	git: RunGit,
	{ path, repository, method }: WorktreeMerge,
	onOutput: (text: string) => void,
): Promise<MergedWorktree> {
	const [here, main] = [await readStatus(git, path), await readStatus(git, repository)];
	if (here === undefined || main === undefined) return refuseWorktree("gone");
	if (here.files.length > 0) return refuseWorktree("uncommitted");
	if (main.files.some((file) => file.status !== "untracked")) return refuseWorktree("main-dirty", repository);
	if (main.branch === null || here.head === null) return refuseWorktree("no-branch", repository);
	const operations = [await readOperation(git, path), await readOperation(git, repository)];
	const busy = operations.find((operation) => operation.name !== undefined || operation.lockedForMs !== undefined);
	if (busy !== undefined) return refuseWorktree("in-progress", busy.name ?? "git");
	const tried = await git({ cwd: repository, as: "ours", args: ["merge-tree", "--write-tree", "--name-only", main.branch, here.head] });
	if (tried.code !== 0) return refuseWorktree("conflicts", tried.stdout.toString("utf8").split("\n").slice(1).join("\n").trim());
	const person = (cwd: string, ...args: string[]) => git({ cwd, as: "person", args, onOutput, limitMs: MERGE_LIMIT_MS });
	if (method === "rebase") {
		const rebased = await person(path, "rebase", main.branch);
		if (rebased.code !== 0) {
			await person(path, "rebase", "--abort");
			return refuseWorktree("failed", `${rebased.stderr}${rebased.stdout.toString("utf8")}`.trim());
		}
	}
	const tip = (await git({ cwd: path, as: "ours", args: ["rev-parse", "HEAD"] })).stdout.toString("latin1").trim();
	const name = here.branch ?? tip;
	const merged = await person(repository, "merge", "--no-edit", ...(method === "rebase" ? ["--ff-only"] : []), name);
	if (merged.code !== 0) {
		if ((await readOperation(git, repository)).name === "merge") await person(repository, "merge", "--abort");
		return refuseWorktree("failed", `${merged.stderr}${merged.stdout.toString("utf8")}`.trim());
	}
	const commit = (await git({ cwd: repository, as: "ours", args: ["rev-parse", "HEAD"] })).stdout.toString("latin1").trim();
	return { kind: "merged", commit, branch: main.branch };
}
