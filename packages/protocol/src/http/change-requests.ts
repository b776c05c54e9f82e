import * as z from "zod/mini";
import { pageLimit } from "./requests.ts";

/** Queries and bodies of the routes about changes. */

/** Longest shown path: every byte of a name of 4,096 may take four characters. */
const MAX_PATH_CHARS = 16_384;
/** Most paths that one request names. */
export const MAX_UNDO_PATHS = 5_000;
/** Most changes that one undo takes back. */
export const MAX_UNDO_CHANGES = 200;
const MAX_UNDO_HUNKS = 5_000;

const path = z.string().check(z.minLength(1), z.maxLength(MAX_PATH_CHARS));
const changeId = z.string().check(z.regex(/^[\w-]{1,128}$/, "This is not an id."));
const cursor = z.string().check(z.minLength(1), z.maxLength(500));

/** Where the page begins (`before` and `cursor` are the same), and how long it is. */
export const changesQuery = z.object({ before: z.optional(cursor), cursor: z.optional(cursor), limit: pageLimit(50) });
/** One file; without it all of them. */
export const changeDiffQuery = z.object({ path: z.optional(path) });
/** One file; `whitespace=ignore` leaves out lines that differ in white space only. */
export const changeHunksQuery = z.object({ path, whitespace: z.optional(z.enum(["ignore"])) });
/** One side of one file. */
export const changeContentQuery = z.object({ path, side: z._default(z.enum(["before", "after"]), "after") });

const part = {
	/** Only these files; those of others, too, when they are named. */
	paths: z.optional(z.array(path).check(z.maxLength(MAX_UNDO_PATHS))),
	/** Of these files only these hunks, by id. */
	hunks: z.optional(z.record(path, z.array(z.string().check(z.maxLength(200))).check(z.maxLength(MAX_UNDO_HUNKS)))),
	/** Says what would happen and does nothing. */
	preview: z.optional(z.boolean()),
};
/** All of the change, or a part of it; no body means all. */
export const undoBody = z._default(z.object(part), {});
/** Several changes at once. */
export const undoSeveralBody = z.object({
	changeIds: z.array(changeId).check(z.minLength(1, "Name at least one change."), z.maxLength(MAX_UNDO_CHANGES)),
	...part,
});
