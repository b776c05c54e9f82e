import * as git from "./git.ts";
import { DONE, type HttpRoute, ok } from "./route.ts";
import * as worktrees from "./worktrees.ts";

const OF = "/api/conversations/:id";

/** Every route about a conversation's repository. */
export const gitRoutes: HttpRoute[] = [
	{
		method: "GET",
		path: `${OF}/git`,
		about: "Where the repository of its directory stands, and what is not committed.",
		query: git.gitQuery,
		answers: [...ok(git.gitAnswer), ...DONE],
		refusals: [404, 409],
	},
	{
		method: "POST",
		path: `${OF}/commit`,
		about: "Commit files with the person's hooks and signing; what is staged besides stays staged.",
		body: git.commitBody,
		answers: ok(git.commitAnswer),
		refusals: [404, 409],
	},
	{
		method: "GET",
		path: `${OF}/review`,
		about: "What differs from the last commit, or from where the branch left the main one.",
		query: git.reviewQuery,
		answers: ok(git.reviewAnswer),
		refusals: [404, 409],
	},
	{
		method: "GET",
		path: `${OF}/review/hunks`,
		about: "What differs within one file.",
		query: git.reviewHunksQuery,
		answers: ok(git.reviewHunksAnswer),
		refusals: [404, 409],
	},
	{
		method: "GET",
		path: `${OF}/review/content`,
		about: "The bytes of one side of a file that differs.",
		query: git.reviewContentQuery,
		answers: ok({ file: "application/octet-stream" }),
		refusals: [404, 409, 413],
	},
	{
		method: "POST",
		path: `${OF}/push`,
		about: "Push the branch, never by force.",
		answers: ok(git.pushAnswer),
		refusals: [404, 409],
	},
	{
		method: "POST",
		path: `${OF}/pull-request`,
		about: "Open a pull request with the person's `gh`.",
		body: git.pullRequestBody,
		answers: ok(git.pullRequestAnswer),
		refusals: [404, 409],
	},
	{
		method: "POST",
		path: `${OF}/worktree/merge`,
		about: "Bring the commits of its work tree into the repository's own branch.",
		body: worktrees.mergeWorktreeBody,
		answers: ok(worktrees.mergedAnswer),
		refusals: [404, 409],
	},
	{
		method: "GET",
		path: "/api/worktrees",
		about: "The work trees of conversations, with what would be lost with each.",
		answers: ok(worktrees.worktreesAnswer),
	},
	{
		method: "POST",
		path: "/api/worktrees/remove",
		about: "Move a work tree to the trash, unless something would be lost.",
		body: worktrees.removeWorktreeBody,
		answers: ok(worktrees.releasedAnswer),
		refusals: [404, 409],
	},
];
