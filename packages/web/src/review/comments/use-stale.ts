import { useEffect, useState } from "react";
import { ApiError } from "../../api/request.ts";
import type { ReviewScope } from "../../state/review.ts";
import { reviewApi } from "../review-api.ts";
import type { LineComment } from "./comment-store.ts";
import { mapLines } from "./map-lines.ts";

const NONE: ReadonlySet<string> = new Set();

/** Ids of comments whose lines are no longer in the file as this conversation last knew it; looked at again in each round. */
export function useStale(conversationId: string, comments: readonly LineComment[], round: number): ReadonlySet<string> {
	const [stale, setStale] = useState(NONE);
	const key = comments.map(({ id }) => id).join(" ");
	// biome-ignore lint/correctness/useExhaustiveDependencies: `key` says which comments there are; their lines never change.
	useEffect(() => {
		const call = new AbortController();
		void findStale(conversationId, comments, call.signal).then((found) => {
			if (!call.signal.aborted) setStale(found);
		});
		return () => call.abort();
	}, [conversationId, key, round]);
	return stale;
}

async function findStale(conversationId: string, comments: readonly LineComment[], signal: AbortSignal): Promise<ReadonlySet<string>> {
	const texts = new Map<string, Promise<string | undefined>>();
	const text = (scope: ReviewScope, path: string) => {
		const key = `${JSON.stringify(scope)} ${path}`;
		const asked = texts.get(key) ?? afterText(conversationId, scope, path, signal);
		texts.set(key, asked);
		return asked;
	};
	const stale = new Set<string>();
	for (const comment of comments) {
		// Lines that were taken out stay as they were.
		if (comment.side === "old") continue;
		const scope = scopeOf(comment.changeId);
		const now = await text(scope.kind === "change" ? { kind: "conversation" } : scope, comment.path);
		const then = scope.kind === "change" ? await text(scope, comment.path) : undefined;
		if (now === undefined) continue;
		const there = then === undefined ? `\n${now}\n`.includes(`\n${comment.snippet}\n`) : mapLines(then, now, comment) !== undefined;
		if (!there) stale.add(comment.id);
	}
	return stale;
}

/** The file as it became: empty when it is gone, undefined when nobody can say. */
async function afterText(id: string, scope: ReviewScope, path: string, signal: AbortSignal): Promise<string | undefined> {
	try {
		return await reviewApi.text(id, scope, { path, side: "after" }, signal);
	} catch (error) {
		return error instanceof ApiError && error.status === 404 ? "" : undefined;
	}
}

function scopeOf(changeId: string): ReviewScope {
	return changeId === "conversation" || changeId === "branch" || changeId === "uncommitted"
		? { kind: changeId }
		: { kind: "change", changeId };
}

/** The other way round: what a comment written in this scope remembers. */
export const scopeId = (scope: ReviewScope): string => (scope.kind === "change" ? scope.changeId : scope.kind);
