import * as z from "zod/mini";

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
