import { assertNever } from "../../core/kernel/errors.ts";
import { commit } from "./commit.ts";
import { GIT_OPS, type GitOp } from "./git-ops.ts";
import { readStatus } from "./read-status.ts";
import type { RunGit } from "./run-git.ts";

/** What the git process does with a request. */
export async function answerGit(git: RunGit, op: GitOp, ask: unknown, onOutput: (text: string) => void): Promise<unknown> {
	switch (op) {
		case "status":
			return (await readStatus(git, GIT_OPS.status.ask.parse(ask).cwd)) ?? null;
		case "commit":
			return commit(git, GIT_OPS.commit.ask.parse(ask), onOutput);
		default:
			return assertNever(op);
	}
}
