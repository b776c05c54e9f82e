import * as z from "zod/mini";
import { changedFileSchema, changeSchema, hunkSchema, notCoveredSchema, undoneFileSchema } from "../model/change.ts";

/** What the routes about changes answer. */

/** A page of changes, newest first; the cursor leads to older ones. */
export const changesAnswer = z.object({ changes: z.array(changeSchema), nextCursor: z.optional(z.string()) });

/** One change with its files and with what could not be recorded; `truncated` says how many files there are when not all are listed. */
export const changeAnswer = z.object({
	change: changeSchema,
	files: z.array(changedFileSchema),
	notCovered: z.array(notCoveredSchema),
	truncated: z.optional(z.number()),
});
/** One change with its files. */
export type ChangeDetail = z.infer<typeof changeAnswer>;

/** What changed within one file. */
export const hunksAnswer = z.object({
	file: changedFileSchema,
	hunks: z.array(hunkSchema),
	/** The two sides differ too much for a line by line comparison: everything between is shown as replaced. */
	coarse: z.optional(z.boolean()),
	/** So many lines are left out at the end. */
	truncated: z.optional(z.number()),
});
/** What changed within one file. */
export type FileHunks = z.infer<typeof hunksAnswer>;

/** What an undo or a redo did, or with `preview` would do. `changeId` is its own, when it wrote anything. */
export const undoAnswer = z.object({ files: z.array(undoneFileSchema), changeId: z.optional(z.string()) });
/** What an undo or a redo did. */
export type UndoResult = z.infer<typeof undoAnswer>;
