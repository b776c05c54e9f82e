import { changeAnswer, changesAnswer, hunksAnswer, undoAnswer } from "@rightseat/protocol/http/changes";
import { request, requestJson } from "../api/request.ts";
import type { ReviewScope, UndoRequest } from "../state/review.ts";

/** Changes that one look at the list shows. */
const LISTED = "100";

const of = (id: string) => `/api/conversations/${encodeURIComponent(id)}`;

/** The changes of one conversation over HTTP. Every call may throw ApiError. */
export const reviewApi = {
	list: (id: string, signal?: AbortSignal) =>
		requestJson(`${of(id)}/changes?limit=${LISTED}`, changesAnswer, { ...(signal ? { signal } : {}) }),
	detail: (id: string, scope: ReviewScope, signal: AbortSignal) => requestJson(place(id, scope, ""), changeAnswer, { signal }),
	hunks: (id: string, scope: ReviewScope, file: { path: string; ignoreWhitespace: boolean }, signal: AbortSignal) =>
		requestJson(place(id, scope, "/hunks", { path: file.path, ...(file.ignoreWhitespace ? { whitespace: "ignore" } : {}) }), hunksAnswer, {
			signal,
		}),
	contentUrl: (id: string, scope: ReviewScope, path: string, side: "before" | "after") => place(id, scope, "/content", { path, side }),
	/** One side of a file as text. */
	text: async (id: string, scope: ReviewScope, file: { path: string; side: "before" | "after" }, signal: AbortSignal) =>
		(await request(place(id, scope, "/content", file), { signal })).text(),
	diffUrl: (id: string, scope: ReviewScope) => place(id, scope, "/diff"),
	undo: (id: string, { kind, changeIds, paths, hunks }: UndoRequest, preview: boolean) => {
		const part = { ...(paths === undefined ? {} : { paths }), ...(hunks === undefined ? {} : { hunks }), ...(preview ? { preview } : {}) };
		const [only] = changeIds;
		const several = changeIds.length !== 1 || only === undefined;
		const path = several ? `${of(id)}/changes/undo` : `${of(id)}/changes/${encodeURIComponent(only)}/${kind}`;
		return requestJson(path, undoAnswer, { method: "POST", json: several ? { changeIds, ...part } : part });
	},
} as const;

/** What git knows has routes of its own. */
function place(id: string, scope: ReviewScope, rest: string, query: Record<string, string> = {}): string {
	const git = scope.kind === "branch" || scope.kind === "uncommitted";
	const params = new URLSearchParams(git ? { scope: scope.kind, ...query } : query).toString();
	const base = git ? `${of(id)}/review` : `${of(id)}/changes/${scope.kind === "change" ? encodeURIComponent(scope.changeId) : scope.kind}`;
	return `${base}${rest}${params === "" ? "" : `?${params}`}`;
}
