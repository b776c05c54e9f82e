import type { RunGit } from "./run-git.ts";

/** What a person compares the work tree with: the last commit, or the point where the branch left the main one. */
export type ReviewScope = "uncommitted" | "branch";

export interface ReviewBase {
	/** Null: there is no commit yet. */
	commit: string | null;
	/** The branch that it was compared with, such as `origin/main`. */
	name: string | null;
}

const CANDIDATES = ["refs/remotes/origin/main", "refs/remotes/origin/master", "refs/heads/main", "refs/heads/master"];

/** Undefined: no repository, or, for a branch, nothing that it could have left. */
export async function findBase(git: RunGit, cwd: string, scope: ReviewScope): Promise<ReviewBase | undefined> {
	const line = async (...args: string[]) => {
		const { code, stdout } = await git({ cwd, as: "ours", args });
		const text = stdout.toString("utf8").trim();
		return code === 0 && text !== "" ? text : undefined;
	};
	if ((await line("rev-parse", "--is-inside-work-tree")) !== "true") return undefined;
	const head = (await line("rev-parse", "-q", "--verify", "HEAD")) ?? null;
	if (scope === "uncommitted") return { commit: head, name: null };
	if (head === null) return undefined;
	const own = await line("symbolic-ref", "-q", "HEAD");
	const named = await line("symbolic-ref", "-q", "refs/remotes/origin/HEAD");
	const there = (await line("for-each-ref", "--format=%(refname)", ...CANDIDATES))?.split("\n") ?? [];
	const main = [named, ...CANDIDATES.filter((name) => there.includes(name))].find((name) => name !== undefined && name !== own);
	const upstream = main ?? (await line("rev-parse", "-q", "--verify", "--symbolic-full-name", "@{upstream}"));
	if (upstream === undefined) return undefined;
	const commit = await line("merge-base", "HEAD", upstream);
	return commit === undefined ? undefined : { commit, name: upstream.replace(/^refs\/(?:heads|remotes)\//, "") };
}
