import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import type { RunGit } from "../run-git.ts";
import { workTreeOf } from "../work-tree.ts";
import { copyIncluded } from "./copy-included.ts";
import { refuseWorktree, type WorktreeRefusal } from "./worktree-refusal.ts";

export interface NewWorktree {
	/** Where the conversation would work without one. */
	cwd: string;
	/** Null: a name is made. */
	branch: string | null;
	/** Outside of any repository: inside of one, `git add -A` would take the work tree in and `git clean` would delete it. */
	folder: string;
	/** Makes the names of this one different from others. */
	id: string;
}
export interface AddedWorktree {
	kind: "added";
	path: string;
	/** The same folder in it as `cwd` in the repository. */
	cwd: string;
	branch: string;
	repository: string;
}

const ADD_LIMIT_MS = 10 * 60_000;
const BRANCH = /^(?!.*(?:\.\.|\/\/|\/\.|\.lock(?:\/|$)|\.(?:\/|$)))[A-Za-z0-9][A-Za-z0-9._/-]{0,59}(?<!\/)$/;

/** A work tree of its own on a branch of its own. What is not committed in the repository stays there and is not touched. */
export async function addWorktree(
	git: RunGit,
	{ cwd, branch, folder, id }: NewWorktree,
	onOutput: (text: string) => void,
): Promise<AddedWorktree | WorktreeRefusal> {
	const repository = await workTreeOf(git, cwd);
	if (repository === undefined) return refuseWorktree("no-repository");
	const ours = async (...args: string[]) => (await git({ cwd: repository, as: "ours", args })).code === 0;
	if (!(await ours("rev-parse", "-q", "--verify", "HEAD"))) return refuseWorktree("no-commit");
	if (branch !== null && !BRANCH.test(branch)) return refuseWorktree("bad-branch", branch);
	const name = branch ?? (await freeBranch(git, repository, `rs/${id}`));
	const isThere = await ours("rev-parse", "-q", "--verify", `refs/heads/${name}`);
	const path = freePath(join(folder, `${basename(repository)}-${name.replaceAll("/", "-")}`));
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const args = isThere ? ["worktree", "add", path, name] : ["worktree", "add", "-b", name, path];
	const ended = await git({ cwd: repository, as: "person", args, onOutput, limitMs: ADD_LIMIT_MS });
	// A post-checkout hook that fails makes git fail, and the work tree is there all the same.
	if (ended.code !== 0 && (await workTreeOf(git, path)) !== path) {
		return refuseWorktree(/already (?:checked out|used by worktree)/.test(ended.stderr) ? "branch-in-use" : "failed", ended.stderr.trim());
	}
	await copyIncluded(git, repository, path);
	const inside = join(path, relative(repository, cwd));
	return { kind: "added", path, cwd: existsSync(inside) ? inside : path, branch: name, repository };
}

/** Also compared without case: on some disks two such branches would be one file. */
async function freeBranch(git: RunGit, repository: string, wanted: string): Promise<string> {
	const { stdout } = await git({ cwd: repository, as: "ours", args: ["for-each-ref", "--format=%(refname:short)", "refs/heads"] });
	const taken = new Set(stdout.toString("utf8").toLowerCase().split("\n"));
	for (let number = 1; ; number++) {
		const name = number === 1 ? wanted : `${wanted}-${number}`;
		if (!taken.has(name.toLowerCase())) return name;
	}
}

function freePath(wanted: string): string {
	for (let number = 1; ; number++) {
		const path = number === 1 ? wanted : `${wanted}-${number}`;
		if (!existsSync(path)) return path;
	}
}
