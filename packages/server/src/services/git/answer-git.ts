import { assertNever } from "../../core/kernel/errors.ts";
import { commit } from "./commit.ts";
import { GIT_OPS, type GitOp } from "./git-ops.ts";
import { openPullRequest, push } from "./push.ts";
import { readStatus } from "./read-status.ts";
import { review, reviewFile } from "./review.ts";
import { reviewHunks } from "./review-hunks.ts";
import type { RunGit } from "./run-git.ts";
import { addWorktree } from "./worktrees/add-worktree.ts";
import { mergeWorktree } from "./worktrees/merge-worktree.ts";
import { emptyTrash, removeWorktree } from "./worktrees/remove-worktree.ts";
import { readWorktreeState } from "./worktrees/worktree-state.ts";

/** What the git process does with a request. */
export async function answerGit(git: RunGit, op: GitOp, ask: unknown, onOutput: (text: string) => void): Promise<unknown> {
	switch (op) {
		case "status":
			return (await readStatus(git, GIT_OPS.status.ask.parse(ask).cwd)) ?? null;
		case "commit":
			return commit(git, GIT_OPS.commit.ask.parse(ask), onOutput);
		case "review": {
			const { cwd, scope } = GIT_OPS.review.ask.parse(ask);
			const { truncated, ...found } = (await review(git, cwd, scope)) ?? { truncated: null };
			return truncated === null ? null : { ...found, ...(truncated ? { truncated } : {}) };
		}
		case "review-hunks": {
			const { cwd, scope, path, ...options } = GIT_OPS["review-hunks"].ask.parse(ask);
			const pair = await reviewFile(git, cwd, scope, path);
			return (pair && reviewHunks(pair, options)) ?? null;
		}
		case "review-content": {
			const { cwd, scope, path, side } = GIT_OPS["review-content"].ask.parse(ask);
			const content = (await reviewFile(git, cwd, scope, path))?.[side];
			if (content === undefined || content.kind === "absent") return null;
			return content.kind === "large" ? { kind: "large" } : { kind: "bytes", base64: content.bytes.toString("base64") };
		}
		case "push":
			return push(git, GIT_OPS.push.ask.parse(ask).cwd, onOutput);
		case "pull-request":
			return openPullRequest(git, GIT_OPS["pull-request"].ask.parse(ask), onOutput);
		case "worktree-add":
			return addWorktree(git, GIT_OPS["worktree-add"].ask.parse(ask), onOutput);
		case "worktree-remove":
			return removeWorktree(git, GIT_OPS["worktree-remove"].ask.parse(ask));
		case "worktree-merge":
			return mergeWorktree(git, GIT_OPS["worktree-merge"].ask.parse(ask), onOutput);
		case "worktree-state":
			return readWorktreeState(git, GIT_OPS["worktree-state"].ask.parse(ask));
		case "trash-empty": {
			const { trash, now } = GIT_OPS["trash-empty"].ask.parse(ask);
			return emptyTrash(trash, now);
		}
		default:
			return assertNever(op);
	}
}
