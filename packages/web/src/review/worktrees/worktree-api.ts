import { mergedAnswer, releasedAnswer, worktreesAnswer } from "@rightseat/protocol/http/worktrees";
import { requestJson } from "../../api/request.ts";

/** How its commits come into the repository's branch. */
export type MergeMethod = "merge" | "rebase";

/** Work trees of conversations over HTTP. Every call may throw ApiError. */
export const worktreeApi = {
	list: async (signal: AbortSignal) => (await requestJson("/api/worktrees", worktreesAnswer, { signal })).worktrees,
	remove: async (path: string, force: boolean) =>
		(await requestJson("/api/worktrees/remove", releasedAnswer, { method: "POST", json: { path, force } })).worktree,
	merge: (conversationId: string, method: MergeMethod) =>
		requestJson(`/api/conversations/${encodeURIComponent(conversationId)}/worktree/merge`, mergedAnswer, {
			method: "POST",
			json: { method },
		}),
} as const;
