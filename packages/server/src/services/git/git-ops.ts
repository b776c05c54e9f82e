import { reviewAnswer, reviewHunksAnswer } from "@rightseat/protocol/http/git";
import { keepReasonSchema } from "@rightseat/protocol/http/worktrees";
import * as z from "zod/mini";
import { COMMIT_REFUSALS } from "./commit-refusal.ts";
import { PUSH_REFUSALS } from "./push.ts";
import { WORKTREE_REFUSALS } from "./worktrees/worktree-refusal.ts";

/** What the git process can be asked, and what it answers. Both ends are ours and of one build. */
const file = z.object({
	path: z.string(),
	status: z.enum(["added", "modified", "deleted", "renamed", "untracked", "conflicted"]),
	staged: z.boolean(),
	oldPath: z.optional(z.string()),
});
const text = z.string();
const orNull = <T extends z.core.$ZodType>(type: T) => z.nullable(type);

const SCOPE = z.enum(["uncommitted", "branch"]);
const PUSH_REFUSED = z.object({ kind: z.literal("refused"), reason: z.enum(PUSH_REFUSALS), detail: text });

const WORKTREE_REFUSED = z.object({ kind: z.literal("refused"), reason: z.enum(WORKTREE_REFUSALS), detail: text });

export const GIT_OPS = {
	status: {
		ask: z.object({ cwd: text }),
		/** Null: git is not there, or refuses this repository. */
		answer: orNull(
			z.object({
				head: orNull(text),
				branch: orNull(text),
				detached: z.boolean(),
				upstream: orNull(text),
				ahead: orNull(z.number()),
				behind: orNull(z.number()),
				files: z.array(file),
				truncated: z.boolean(),
			}),
		),
	},
	commit: {
		ask: z.object({
			cwd: text,
			message: text,
			paths: orNull(z.array(text)),
			changedHere: z.array(text),
			hunks: z.record(text, z.array(text)),
			seen: z.record(text, text),
		}),
		answer: z.discriminatedUnion("kind", [
			z.object({ kind: z.literal("committed"), commit: text, left: z.optional(z.literal(true)) }),
			z.object({ kind: z.literal("refused"), reason: z.enum(COMMIT_REFUSALS), detail: text }),
		]),
	},
	review: {
		ask: z.object({ cwd: text, scope: SCOPE }),
		/** Null: no repository, or nothing to compare with. */
		answer: orNull(reviewAnswer),
	},
	"review-hunks": {
		ask: z.object({ cwd: text, scope: SCOPE, path: text, ignoreWhitespace: z.boolean() }),
		/** Null: the file does not differ. */
		answer: orNull(reviewHunksAnswer),
	},
	"review-content": {
		ask: z.object({ cwd: text, scope: SCOPE, path: text, side: z.enum(["before", "after"]) }),
		/** Null: the file does not differ, or is not there on that side. */
		answer: orNull(
			z.discriminatedUnion("kind", [z.object({ kind: z.literal("bytes"), base64: text }), z.object({ kind: z.literal("large") })]),
		),
	},
	push: {
		ask: z.object({ cwd: text }),
		answer: z.discriminatedUnion("kind", [z.object({ kind: z.literal("pushed"), remote: text, branch: text }), PUSH_REFUSED]),
	},
	"pull-request": {
		ask: z.object({ cwd: text, title: text, body: text, draft: z.boolean() }),
		answer: z.discriminatedUnion("kind", [z.object({ kind: z.literal("opened"), url: text }), PUSH_REFUSED]),
	},
	"worktree-add": {
		ask: z.object({ cwd: text, branch: orNull(text), folder: text, id: text }),
		answer: z.discriminatedUnion("kind", [
			z.object({ kind: z.literal("added"), path: text, cwd: text, branch: text, repository: text }),
			WORKTREE_REFUSED,
		]),
	},
	"worktree-remove": {
		ask: z.object({ cwd: text, path: text, repository: text, trash: text, force: z.boolean(), now: z.number() }),
		answer: z.object({ kept: z.boolean(), path: orNull(text), reason: z.optional(keepReasonSchema), rescued: z.optional(text) }),
	},
	"worktree-merge": {
		ask: z.object({ cwd: text, path: text, repository: text, method: z.enum(["merge", "rebase"]) }),
		answer: z.discriminatedUnion("kind", [z.object({ kind: z.literal("merged"), commit: text, branch: text }), WORKTREE_REFUSED]),
	},
	"worktree-state": {
		ask: z.object({ cwd: text, path: text, repository: text }),
		answer: z.discriminatedUnion("state", [
			z.object({ state: z.literal("gone") }),
			z.object({ state: z.literal("there"), keep: z.array(keepReasonSchema), bytes: z.number(), more: z.optional(z.literal(true)) }),
		]),
	},
	"trash-empty": { ask: z.object({ cwd: text, trash: text, now: z.number() }), answer: z.number() },
} as const;
export type GitOp = keyof typeof GIT_OPS;
export type GitAsk<Op extends GitOp> = z.infer<(typeof GIT_OPS)[Op]["ask"]>;
export type GitAnswer<Op extends GitOp> = z.infer<(typeof GIT_OPS)[Op]["answer"]>;

const OP_NAMES = [
	...(["status", "commit", "review", "review-hunks", "review-content", "push", "pull-request"] as const),
	...(["worktree-add", "worktree-remove", "worktree-merge", "worktree-state", "trash-empty"] as const),
] as const satisfies readonly GitOp[];
export const gitRequestSchema = z.object({
	id: z.number(),
	op: z.enum(OP_NAMES),
	ask: z.unknown(),
});
export type GitRequest = z.infer<typeof gitRequestSchema>;

/** Any number of `output`, then one of the others. */
export const gitReplySchema = z.discriminatedUnion("kind", [
	z.object({ kind: z.literal("output"), id: z.number(), text }),
	z.object({ kind: z.literal("answer"), id: z.number(), answer: z.unknown() }),
	z.object({ kind: z.literal("failed"), id: z.number(), message: text }),
]);
export type GitReply = z.infer<typeof gitReplySchema>;
