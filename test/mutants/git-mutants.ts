import type { Mutant } from "./mutant.ts";

const GIT = "packages/server/src/services/git";
const TREES = [`${GIT}/worktrees/worktrees.test.ts`];
const PUSH = [`${GIT}/push.test.ts`];
const HISTORY = { file: "packages/web/src/app/panel-history.ts", tests: ["packages/web/src/app/panel-history.test.ts"] };

/** The person's repository, work trees, and the page's side of changes. */
export const GIT_MUTANTS: Mutant[] = [
	{
		name: "a work tree with hidden edits is removed",
		file: `${GIT}/worktrees/check-worktree.ts`,
		search: "if (flagged.some(",
		replace: "if (flagged.length < 0 && flagged.some(",
		tests: TREES,
	},
	{
		name: "a work tree with a repository inside is removed",
		file: `${GIT}/worktrees/check-worktree.ts`,
		search: "if (await hasRepository(",
		replace: "if (ignored.length < 0 && await hasRepository(",
		tests: TREES,
	},
	{
		name: "a work tree with the only copy of an ignored file is removed",
		file: `${GIT}/worktrees/check-worktree.ts`,
		search: "if (await hasOnlyCopies(worktree, ignored))",
		replace: "if (ignored.length < 0)",
		tests: TREES,
	},
	{
		name: "a work tree with commits of its own is removed",
		file: `${GIT}/worktrees/check-worktree.ts`,
		search: "if (await hasOwnCommits(git, path, status.branch))",
		replace: "if (status.files.length < 0)",
		tests: TREES,
	},
	{
		name: "a removed work tree is deleted at once",
		file: `${GIT}/worktrees/remove-worktree.ts`,
		search: "await rename(path, there);",
		replace: "await rm(path, { recursive: true });",
		tests: TREES,
	},
	{
		name: "commits of a detached head go with the work tree",
		file: `${GIT}/worktrees/remove-worktree.ts`,
		search: "const rescued = await rescue(git, path, now);",
		replace: "const rescued = undefined;",
		tests: TREES,
	},
	{
		name: "a merge that ends in a conflict is begun",
		file: `${GIT}/worktrees/merge-worktree.ts`,
		search: "if (tried.code !== 0) return",
		replace: "if (tried.code === 77) return",
		tests: TREES,
	},
	{
		name: "a merge is begun in a folder with changes",
		file: `${GIT}/worktrees/merge-worktree.ts`,
		search: 'if (main.files.some((file) => file.status !== "untracked"))',
		replace: "if (main.files.length < 0)",
		tests: TREES,
	},
	{
		name: "what .worktreeinclude names is copied over a file that is there",
		file: `${GIT}/worktrees/copy-included.ts`,
		search: "constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE",
		replace: "constants.COPYFILE_FICLONE",
		tests: TREES,
	},
	{
		name: "the first push is forced",
		file: `${GIT}/push.ts`,
		search: '["push", "--porcelain", "-u", remote,',
		replace: '["push", "--force", "--porcelain", "-u", remote,',
		tests: PUSH,
	},
	{
		name: "a pull request is opened for commits that nobody else has",
		file: `${GIT}/push.ts`,
		search: "if (status !== undefined && (status.upstream === null",
		replace: "if (status === undefined && (status.upstream === null",
		tests: PUSH,
	},
	{
		name: "a pull request is opened after a push that was refused",
		file: `${GIT}/push.ts`,
		search: 'if (pushed.kind === "refused" && (pushed.reason',
		replace: 'if (pushed.kind === "pushed" && (pushed.reason',
		tests: PUSH,
	},
	{
		name: "looking at a repository runs its file-system monitor",
		file: `${GIT}/run-git.ts`,
		search: '"-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"',
		replace: '"-c", "core.hooksPath=/dev/null"',
		tests: [`${GIT}/read-status.test.ts`],
	},
	{
		name: "an undo that was cut and taken back is told to nobody",
		file: "packages/server/src/core/changes/file-changes.ts",
		search: "if (undoes.length > 0) told.tell(",
		replace: "if (undoes.length < 0) told.tell(",
		tests: ["packages/server/src/core/changes/file-changes.test.ts"],
	},
	{
		name: "closing a panel leaves an entry of the history behind",
		...HISTORY,
		search: "leave(entry.depth);",
		replace: "leave(1);",
	},
	{
		name: "a panel that is opened during a step back has no entry",
		...HISTORY,
		search: "			leaving = false;\n			settle();\n",
		replace: "			leaving = false;\n",
	},
	{
		name: "discarded comments do not come back",
		file: "packages/web/src/review/comments/comments-bar.tsx",
		search: "run: () => comments.restore(all)",
		replace: "run: () => undefined",
		tests: ["packages/web/src/review/review-panel.test.tsx"],
	},
];
