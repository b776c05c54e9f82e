import { rm } from "node:fs/promises";
import { chooseFiles } from "./commit-choice.ts";
import { type CommitRefusal, refused } from "./commit-refusal.ts";
import { catchUpIndex } from "./index-after-commit.ts";
import { readOperation } from "./operation.ts";
import { readStatus } from "./read-status.ts";
import type { GitResult, RunGit } from "./run-git.ts";
import { buildIndex } from "./temporary-index.ts";
import { workTreeOf } from "./work-tree.ts";

/** What a person wants to commit. */
export interface CommitRequest {
	cwd: string;
	message: string;
	/** Files, or folders for every changed file below; null: what is staged, or, if nothing is, `changedHere`. */
	paths: readonly string[] | null;
	/** What this conversation changed, relative to the work tree. */
	changedHere: readonly string[];
	/** Of these files only these hunks of what differs from the last commit. */
	hunks: Readonly<Record<string, readonly string[]>>;
	/** SHA-256 of the bytes that the person saw, by path: a file that is another by now is not committed. */
	seen: Readonly<Record<string, string>>;
}
/** `left`: the commit is made, but the person's index could not be brought up to date with it. */
export type CommitOutcome = { kind: "committed"; commit: string; left?: true } | ({ kind: "refused" } & CommitRefusal);

/** Hooks may run a whole test suite. */
const COMMIT_LIMIT_MS = 10 * 60_000;

/**
 * Commits exactly what was chosen, with the person's hooks and signing. The chosen files go into an index of their own, so that whatever else is staged
 * stays staged, and half-staged files are not swept along.
 */
export async function commit(git: RunGit, request: CommitRequest, onOutput: (text: string) => void): Promise<CommitOutcome> {
	const { cwd, message } = request;
	if (message.trim() === "") return refused("empty-message");
	const root = await workTreeOf(git, cwd);
	const status = root === undefined ? undefined : await readStatus(git, root);
	if (root === undefined || status === undefined) return refused("no-repository");
	const identity = await git({ cwd, as: "ours", args: ["var", "GIT_COMMITTER_IDENT"] });
	if (identity.code !== 0) return refused("no-identity", identity.stderr);
	if (status.files.some((file) => file.status === "conflicted")) return refused("conflicts");
	const operation = await readOperation(git, cwd);
	if (operation.lockedForMs !== undefined) return refused("locked", String(Math.round(operation.lockedForMs / 1_000)));
	const chosen = chooseFiles(request, status);
	if (chosen.kind === "refused") return chosen;
	if (chosen.kind === "staged") return run(git, { cwd, message, onOutput }, {});
	// Git would take the whole merge as committed with these files only.
	if (operation.name !== undefined) return refused("in-progress", operation.name);
	const index = await buildIndex(git, { root, head: status.head, files: chosen.files, seen: request.seen, hunks: request.hunks });
	if (index.kind === "refused") return index;
	try {
		const outcome = await run(git, { cwd, message, onOutput }, { GIT_INDEX_FILE: index.path });
		if (outcome.kind === "refused") return outcome;
		const isUpToDate = await catchUpIndex(git, { root, before: status.head, after: outcome.commit });
		return isUpToDate ? outcome : { ...outcome, left: true };
	} finally {
		await rm(index.folder, { recursive: true, force: true });
	}
}

async function run(
	git: RunGit,
	{ cwd, message, onOutput }: { cwd: string; message: string; onOutput: (text: string) => void },
	env: Record<string, string>,
): Promise<CommitOutcome> {
	const args = ["commit", "--cleanup=whitespace", "-F", "-"];
	const ended = await git({ cwd, as: "person", args, input: message, env, onOutput, limitMs: COMMIT_LIMIT_MS });
	if (ended.timedOut) return refused("too-slow", String(COMMIT_LIMIT_MS / 60_000));
	if (ended.code !== 0) return refused("failed", said(ended));
	const head = await git({ cwd, as: "ours", args: ["rev-parse", "HEAD"] });
	return { kind: "committed", commit: head.stdout.toString("latin1").trim() };
}

/** Hooks print on either stream. */
const said = ({ stdout, stderr }: GitResult) => `${stderr}${stdout.toString("utf8")}`.trim();
