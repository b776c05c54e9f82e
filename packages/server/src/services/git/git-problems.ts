import { AppError } from "../../core/kernel/errors.ts";
import type { CommitRefusal, CommitRefusalReason } from "./commit-refusal.ts";
import type { PushRefusalReason } from "./push.ts";
import type { WorktreeRefusalReason } from "./worktrees/worktree-refusal.ts";

/** Why nothing was committed, for a person. */
export function commitProblem({ reason, detail }: CommitRefusal, cwd: string): AppError {
	switch (reason) {
		case "no-repository":
			return new AppError("no-repository", `${cwd} is not in a git repository.`, { params: { path: cwd } });
		case "unknown-path":
			return new AppError("bad-request", `${detail} has no change that could be committed.`, {
				params: { reason: "commit-path", path: detail },
			});
		default:
			return new AppError("commit-refused", SENTENCES[reason](detail), { params: { reason, detail } });
	}
}

const SENTENCES: Record<Exclude<CommitRefusalReason, "no-repository" | "unknown-path">, (detail: string) => string> = {
	"empty-message": () => "A commit needs a message.",
	"no-identity": () => 'Git does not know who you are. Run: git config user.name "Your name" && git config user.email you@example.org',
	conflicts: () => "There are conflicts. Resolve them and stage the files, then commit.",
	"in-progress": (name) => `A ${name} is in progress: stage everything and commit without choosing files, or end it first.`,
	locked: (seconds) =>
		`Another git works on this repository (its lock is ${seconds} s old). Wait for it; if none runs, remove index.lock in the .git folder.`,
	nothing: () => "There is nothing to commit.",
	"changed-since": (path) => `${path} changed since you looked at it. Look again, then commit.`,
	"not-a-file": (path) => `${path} is no file, link or known submodule and cannot be committed here.`,
	"too-large": (path) => `${path} is too large to be committed here. Use git in the terminal.`,
	"too-many": (max) => `More than ${max} files are too many for one commit here. Use git in the terminal.`,
	"too-slow": (minutes) => `The commit was ended after ${minutes} minutes; a hook or the signing program did not end.`,
	failed: (output) => `Git did not commit. It said:\n${output}`,
};

/** Why nothing was pushed, for a person. */
export function pushProblem({ reason, detail }: { reason: PushRefusalReason; detail: string }, cwd: string): AppError {
	if (reason === "no-repository") return new AppError("no-repository", `${cwd} is not in a git repository.`, { params: { path: cwd } });
	return new AppError("push-refused", PUSH_SENTENCES[reason](detail), { params: { reason, detail } });
}

const PUSH_SENTENCES: Record<Exclude<PushRefusalReason, "no-repository">, (detail: string) => string> = {
	detached: () => "The work tree is at no branch. Make one first: git switch -c NAME",
	"no-commit": () => "There is no commit to push yet.",
	"no-remote": () => "The repository has no remote. Add one first: git remote add origin ADDRESS",
	"no-gh": () => "The program gh is not installed on this machine. Install it, or open the pull request in the browser.",
	failed: (output) => `It did not work. This was said:\n${output}`,
	"too-slow": (minutes) => `It was ended after ${minutes} minutes without an answer.`,
};

/** Why there is no work tree, or nothing was merged, for a person. */
export function worktreeProblem({ reason, detail }: { reason: WorktreeRefusalReason; detail: string }, cwd: string): AppError {
	if (reason === "no-repository") return new AppError("no-repository", `${cwd} is not in a git repository.`, { params: { path: cwd } });
	return new AppError("worktree-refused", WORKTREE_SENTENCES[reason](detail), { params: { reason, detail } });
}

const WORKTREE_SENTENCES: Record<Exclude<WorktreeRefusalReason, "no-repository">, (detail: string) => string> = {
	"no-commit": () => "The repository has no commit yet. Make one first: a work tree begins at a commit.",
	"bad-branch": (name) => `${name} is no name for a branch. Use letters, digits, . _ - and /, at most 60.`,
	"branch-in-use": () => "This branch is checked out in another work tree. Choose another name.",
	failed: (output) => `Git did not do it. It said:\n${output}`,
	"too-many": (max) => `There are ${max} work trees already. Remove some first.`,
	"main-dirty": (path) => `${path} has changes that are not committed. Commit or stash them first.`,
	"in-progress": (name) => `A ${name} is in progress. End it first.`,
	"no-branch": (path) => `${path} is at no branch that could be merged into.`,
	conflicts: (files) => `The two have changed the same lines, so nothing was begun:\n${files}`,
	uncommitted: () => "The work tree has changes that are not committed. Commit them first.",
	busy: () => "An agent is at work in one of the two folders. Wait for it, or stop it.",
	gone: () => "The work tree or its repository is gone.",
};
