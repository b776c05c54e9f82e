import * as asked from "./change-requests.ts";
import { changeAnswer, changesAnswer, hunksAnswer, undoAnswer } from "./changes.ts";
import { type HttpRoute, ok } from "./route.ts";

const OF = "/api/conversations/:id/changes";
const ONE = `${OF}/:changeId`;

/** Every route about what was changed in files; `:changeId` may be `conversation`, for all of it, but not to redo. */
export const changeRoutes: HttpRoute[] = [
	{
		method: "GET",
		path: OF,
		about: "What this conversation changed in files, newest first.",
		query: asked.changesQuery,
		answers: ok(changesAnswer),
		refusals: [404],
	},
	{
		method: "POST",
		path: `${OF}/undo`,
		about: "Take several changes back, or say what that would do.",
		body: asked.undoSeveralBody,
		answers: ok(undoAnswer),
		refusals: [404, 409],
	},
	{ method: "GET", path: ONE, about: "One change with its files.", answers: ok(changeAnswer), refusals: [404] },
	{
		method: "GET",
		path: `${ONE}/diff`,
		about: "A unified diff that git apply takes.",
		query: asked.changeDiffQuery,
		answers: ok({ file: "text/plain" }),
		refusals: [404],
	},
	{
		method: "GET",
		path: `${ONE}/hunks`,
		about: "What changed within one file.",
		query: asked.changeHunksQuery,
		answers: ok(hunksAnswer),
		refusals: [404],
	},
	{
		method: "GET",
		path: `${ONE}/content`,
		about: "One file as it was before or after the change.",
		query: asked.changeContentQuery,
		answers: ok({ file: "*/*" }),
		refusals: [404, 413],
	},
	{
		method: "POST",
		path: `${ONE}/undo`,
		about: "Take a change back, all or in part, or say what that would do.",
		body: asked.undoBody,
		answers: ok(undoAnswer),
		refusals: [404, 409],
	},
	{
		method: "POST",
		path: `${ONE}/redo`,
		about: "Bring back what was undone.",
		body: asked.undoBody,
		answers: ok(undoAnswer),
		refusals: [404, 409],
	},
];
