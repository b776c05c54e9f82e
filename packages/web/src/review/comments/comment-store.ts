import * as z from "zod/mini";
import { writeStorage } from "../../storage/write-storage.ts";

/** Where comments that were not sent yet are kept. */
const COMMENTS_KEY = "rightseat:comments";
/** Comments of one conversation; more are refused, because nobody who wrote one should lose it. */
export const MAX_COMMENTS = 100;
/** Conversations whose comments are kept, those written in last. */
export const MAX_COMMENTED = 20;
/** Longest comment, and longest piece of the file that goes with one. */
export const MAX_COMMENT_CHARS = 4_000;
export const MAX_SNIPPET_CHARS = 2_000;

const commentSchema = z.object({
	id: z.string(),
	/** The change that it was written on; `conversation`, `branch` or `uncommitted` for the others. */
	changeId: z.string(),
	path: z.string(),
	side: z.enum(["old", "new"]),
	from: z.number(),
	to: z.number(),
	/** The lines as they were when it was written. */
	snippet: z.string(),
	text: z.string(),
});
export type LineComment = z.infer<typeof commentSchema>;

const keptSchema = z.record(z.string(), z.object({ at: z.number(), comments: z.array(commentSchema) }));
type Kept = z.infer<typeof keptSchema>;

export interface CommentStore {
	list(conversationId: string): readonly LineComment[];
	/** Replaces all of a conversation; false when there are too many, and then nothing changes. */
	save(conversationId: string, comments: readonly LineComment[]): boolean;
}

/** Comments per conversation on this device. Reads storage each time, because another tab writes it too. */
export function createCommentStore(storage: Pick<Storage, "getItem" | "setItem">, now: () => number): CommentStore {
	return {
		list: (conversationId) => read(storage)[conversationId]?.comments ?? [],
		save(conversationId, comments) {
			if (comments.length > MAX_COMMENTS) return false;
			const { [conversationId]: _before, ...rest } = read(storage);
			const bounded = comments.map((comment) => ({
				...comment,
				text: comment.text.slice(0, MAX_COMMENT_CHARS),
				snippet: comment.snippet.slice(0, MAX_SNIPPET_CHARS),
			}));
			const kept: Kept = comments.length === 0 ? rest : { ...rest, [conversationId]: { at: now(), comments: bounded } };
			const newest = Object.entries(kept).sort(([, a], [, b]) => b.at - a.at);
			return writeStorage(storage, COMMENTS_KEY, JSON.stringify(Object.fromEntries(newest.slice(0, MAX_COMMENTED))));
		},
	};
}

function read(storage: Pick<Storage, "getItem">): Kept {
	try {
		const parsed = keptSchema.safeParse(JSON.parse(storage.getItem(COMMENTS_KEY) ?? "{}"));
		return parsed.success ? parsed.data : {};
	} catch {
		// Storage that is blocked or damaged costs what was kept, never the panel.
		return {};
	}
}
