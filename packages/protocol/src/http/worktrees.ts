import * as z from "zod/mini";

/** What the routes about work trees take and answer. */

/** Why a work tree stays unless somebody insists. */
export const keepReasonSchema = z.enum([
	"uncommitted",
	"unmerged",
	"hidden-edits",
	"ignored-files",
	"nested-repository",
	"in-progress",
	"locked",
	"in-use",
	"unreadable",
	"failed",
]);
/** Why a work tree stays unless somebody insists. */
export type KeepReason = z.infer<typeof keepReasonSchema>;

/** A new conversation in a work tree of its own: on a branch that is made, or on this one; `setup` is a command that runs there first, as the person's. */
export const newWorktree = z.union([
	z.literal(true),
	z.object({
		branch: z.optional(z.string().check(z.minLength(1), z.maxLength(60))),
		setup: z.optional(z.string().check(z.minLength(1), z.maxLength(4_096))),
	}),
]);
/** What becomes of the work tree of a deleted conversation; without it, it is kept. */
export const deleteConversationQuery = z.object({ worktree: z.optional(z.enum(["keep", "remove"])), force: z.optional(z.literal("1")) });
/** Where the work tree is now: in its place when it was kept, else in the trash, for a week. */
export const releasedWorktreeSchema = z.object({
	path: z.string(),
	kept: z.boolean(),
	reason: z.optional(keepReasonSchema),
	/** A branch that was made for commits which nothing else named. */
	rescued: z.optional(z.string()),
});
/** What became of it. */
export const releasedAnswer = z.object({ worktree: releasedWorktreeSchema });

/** A work tree of a conversation, also of one that is deleted. */
export const worktreeSchema = z.object({
	path: z.string(),
	conversationId: z.string(),
	branch: z.string(),
	repository: z.string(),
	createdAt: z.string(),
	state: z.enum(["there", "gone", "unknown"]),
	/** What would be lost with it. */
	keep: z.optional(z.array(keepReasonSchema)),
	/** On disk; `more`: at least. */
	bytes: z.optional(z.number()),
	more: z.optional(z.literal(true)),
});
/** A work tree as a list shows it. */
export type ShownWorktree = z.infer<typeof worktreeSchema>;
/** All of them, newest first. */
export const worktreesAnswer = z.object({ worktrees: z.array(worktreeSchema) });
/** Which one, and whether it goes also when something would be lost from its place. */
export const removeWorktreeBody = z.object({
	path: z.string().check(z.minLength(1), z.maxLength(4096)),
	force: z._default(z.boolean(), false),
});

/** How the commits come into the repository's own branch. */
export const mergeWorktreeBody = z.object({ method: z._default(z.enum(["merge", "rebase"]), "merge") });
/** The commit that the branch is at now. */
export const mergedAnswer = z.object({ commit: z.string(), branch: z.string() });
