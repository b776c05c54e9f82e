import { changeAnswer, changesAnswer, type FileHunks, hunksAnswer, undoAnswer } from "@rightseat/protocol/http/changes";
import { request, requestJson } from "../api/request.ts";
import type { ReviewScope, UndoRequest } from "../state/review.ts";
import { type GitScope, gitApi } from "./git-api.ts";
import type { Shown } from "./shown.ts";

/** Changes that one look at the list shows. */
const LISTED = "100";

const of = (id: string) => `/api/conversations/${encodeURIComponent(id)}`;

/** The changes of one conversation over HTTP. Every call may throw ApiError. */
export const reviewApi = {
	list: (id: string, signal: AbortSignal) => requestJson(`${of(id)}/changes?limit=${LISTED}`, changesAnswer, { signal }),
	async detail(id: string, scope: ReviewScope, signal: AbortSignal): Promise<Shown> {
		if (isGit(scope)) return gitApi.review(id, scope.kind, signal);
		const { change, ...rest } = await requestJson(place(id, scope, ""), changeAnswer, { signal });
		return { ...rest, change, counts: change };
	},
	hunks: (id: string, scope: ReviewScope, file: { path: string; ignoreWhitespace: boolean }, signal: AbortSignal): Promise<Lines> => {
		if (isGit(scope)) return gitApi.hunks(id, scope.kind, file, signal);
		const query = { path: file.path, ...(file.ignoreWhitespace ? { whitespace: "ignore" } : {}) };
		return requestJson(place(id, scope, "/hunks", query), hunksAnswer, { signal });
	},
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

/** What changed within a file. */
export type Lines = Pick<FileHunks, "hunks" | "coarse" | "truncated">;

const isGit = (scope: ReviewScope): scope is { kind: GitScope } => scope.kind === "branch" || scope.kind === "uncommitted";

/** What git knows has routes of its own. */
function place(id: string, scope: ReviewScope, rest: string, query: Record<string, string> = {}): string {
	const params = new URLSearchParams(isGit(scope) ? { scope: scope.kind, ...query } : query).toString();
	const base = isGit(scope)
		? `${of(id)}/review`
		: `${of(id)}/changes/${scope.kind === "change" ? encodeURIComponent(scope.changeId) : scope.kind}`;
	return `${base}${rest}${params === "" ? "" : `?${params}`}`;
}
