import { commitAnswer, commitBody, gitAnswer, gitQuery } from "./git.ts";
import { DONE, type HttpRoute, ok } from "./route.ts";

const OF = "/api/conversations/:id";

/** Every route about a conversation's repository. */
export const gitRoutes: HttpRoute[] = [
	{
		method: "GET",
		path: `${OF}/git`,
		about: "Where the repository of its directory stands, and what is not committed.",
		query: gitQuery,
		answers: [...ok(gitAnswer), ...DONE],
		refusals: [404, 409],
	},
	{
		method: "POST",
		path: `${OF}/commit`,
		about: "Commit files with the person's hooks and signing; what is staged besides stays staged.",
		body: commitBody,
		answers: ok(commitAnswer),
		refusals: [404, 409],
	},
];
