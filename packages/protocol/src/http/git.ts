import * as z from "zod/mini";
import { hunkSchema } from "../model/change.ts";

/** What the routes about a conversation's repository take and answer. */

/** A file that is not as the last commit has it. One that is staged and was changed again stands in the list twice. */
export const gitFileSchema = z.object({
	/** Relative to the top of the work tree; bytes that are no text as `\xNN`. */
	path: z.string(),
	status: z.enum(["added", "modified", "deleted", "renamed", "untracked", "conflicted"]),
	staged: z.boolean(),
	/** Of a rename. */
	oldPath: z.optional(z.string()),
});
/** A file of `git status`. */
export type GitFile = z.infer<typeof gitFileSchema>;

/** Where the repository of the working directory stands. */
export const gitAnswer = z.object({
	root: z.string(),
	branch: z.nullable(z.string()),
	head: z.nullable(z.string()),
	detached: z.boolean(),
	/** Commits that the upstream branch does not have; absent without one. */
	ahead: z.optional(z.number()),
	/** Commits that only the upstream branch has. */
	behind: z.optional(z.number()),
	files: z.array(gitFileSchema),
	/** There are more files than these. */
	truncated: z.optional(z.literal(true)),
	/** Git itself could not be asked (it is not installed, or refuses the repository), so `files` says nothing. */
	unavailable: z.optional(z.literal(true)),
});
/** The repository of a conversation's directory. */
export type GitState = z.infer<typeof gitAnswer>;

/** With `optional` no repository is an answer instead of an error. */
export const gitQuery = z.object({ optional: z.optional(z.literal("1")) });

const path = z.string().check(z.minLength(1), z.maxLength(4096));
/** More files than this are not committed at once. */
export const MAX_COMMIT_FILES = 1_000;

/** What to commit. Without `paths` what is staged, or, if nothing is, what this conversation changed. */
export const commitBody = z.object({
	message: z.string().check(z.trim(), z.minLength(1, "A commit needs a message."), z.maxLength(65_536)),
	paths: z.optional(z.array(path).check(z.minLength(1), z.maxLength(MAX_COMMIT_FILES))),
	/** Of these files only these hunks of the review `uncommitted`, by id. */
	hunks: z.optional(z.record(path, z.array(z.string().check(z.maxLength(200))).check(z.maxLength(5_000)))),
	/** SHA-256 of what the person saw, by path; a file that is another by now is not committed. */
	seen: z.optional(z.record(path, z.string().check(z.maxLength(64)))),
});
/** The commit that was made. */
export const commitAnswer = z.object({
	commit: z.string(),
	/** The commit is there, but the index could not be brought up to date with it: `git status` shows it reversed until `git reset`. */
	indexLeft: z.optional(z.literal(true)),
});
/** A line of the answer for those who accept `application/x-ndjson`: what the hooks print, then the end. */
export const commitLine = z.union([
	z.object({ output: z.string() }),
	commitAnswer,
	z.object({ error: z.object({ code: z.string(), message: z.string(), params: z.optional(z.record(z.string(), z.unknown())) }) }),
]);

/** What to compare the work tree with: the last commit, or the commit at which the branch left the main one. */
const scope = z.enum(["uncommitted", "branch"]);
/** Which comparison. */
export const reviewQuery = z.object({ scope });
/** One file of a comparison; `whitespace=ignore` leaves out lines that differ in white space only. */
export const reviewHunksQuery = z.object({ scope, path, whitespace: z.optional(z.literal("ignore")) });
/** One side of one file of a comparison. */
export const reviewContentQuery = z.object({ scope, path, side: z._default(z.enum(["before", "after"]), "after") });

/** A file that differs. */
export const reviewedFileSchema = z.object({
	path: z.string(),
	status: z.enum(["added", "modified", "deleted", "mode"]),
	binary: z.boolean(),
	added: z.number(),
	removed: z.number(),
	/** Of the bytes on disk, for `seen` of a commit. */
	sha256: z.optional(z.string()),
	/** Too large to be compared, or not readable: the counts say nothing. */
	uncounted: z.optional(z.literal(true)),
});
/** A file that differs from the last commit, or from the main branch. */
export type ReviewedFile = z.infer<typeof reviewedFileSchema>;

/** Every file that differs. */
export const reviewAnswer = z.object({
	root: z.string(),
	/** Null: there is no commit yet. */
	base: z.object({ commit: z.nullable(z.string()), name: z.nullable(z.string()) }),
	files: z.array(reviewedFileSchema),
	truncated: z.optional(z.literal(true)),
});
/** What differs within one file. */
export const reviewHunksAnswer = z.object({
	file: reviewedFileSchema,
	hunks: z.array(hunkSchema),
	/** The two sides differ too much for a line by line comparison: everything between is shown as replaced. */
	coarse: z.optional(z.boolean()),
	/** So many lines are left out at the end. */
	truncated: z.optional(z.number()),
});
/** What differs within one file. */
export type ReviewHunks = z.infer<typeof reviewHunksAnswer>;

/** Where the branch went. */
export const pushAnswer = z.object({ remote: z.string(), branch: z.string() });
/** What the pull request says. */
export const pullRequestBody = z.object({
	title: z.string().check(z.trim(), z.minLength(1, "A pull request needs a title."), z.maxLength(256)),
	body: z._default(z.string().check(z.maxLength(65_536)), ""),
	draft: z._default(z.boolean(), false),
});
/** Where the pull request is. */
export const pullRequestAnswer = z.object({ url: z.string() });
