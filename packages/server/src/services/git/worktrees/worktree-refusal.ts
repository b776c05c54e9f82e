/** Why a work tree could not be made, merged back or removed; each has a sentence in every language. */
export const WORKTREE_REFUSALS = [
	"no-repository",
	"no-commit",
	"bad-branch",
	"branch-in-use",
	"failed",
	"too-many",
	"main-dirty",
	"in-progress",
	"no-branch",
	"conflicts",
	"uncommitted",
	"busy",
	"gone",
] as const;
export type WorktreeRefusalReason = (typeof WORKTREE_REFUSALS)[number];
export interface WorktreeRefusal {
	kind: "refused";
	reason: WorktreeRefusalReason;
	/** A name, or what git printed. */
	detail: string;
}
const MAX_DETAIL_CHARS = 10_000;

export const refuseWorktree = (reason: WorktreeRefusalReason, detail = ""): WorktreeRefusal => ({
	kind: "refused",
	reason,
	detail: detail.slice(0, MAX_DETAIL_CHARS),
});
