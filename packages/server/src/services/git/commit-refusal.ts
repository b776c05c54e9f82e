/** Why nothing was committed; each has a sentence in every language. */
export const COMMIT_REFUSALS = [
	"empty-message",
	"no-repository",
	"no-identity",
	"conflicts",
	"in-progress",
	"locked",
	"nothing",
	"unknown-path",
	"changed-since",
	"not-a-file",
	"too-large",
	"too-many",
	"too-slow",
	"failed",
] as const;
export type CommitRefusalReason = (typeof COMMIT_REFUSALS)[number];

export interface CommitRefusal {
	reason: CommitRefusalReason;
	/** A path, a number, or what git and the hooks printed. */
	detail: string;
}

export const refused = (reason: CommitRefusalReason, detail = ""): { kind: "refused" } & CommitRefusal => ({
	kind: "refused",
	reason,
	detail: detail.slice(0, MAX_DETAIL_CHARS),
});
const MAX_DETAIL_CHARS = 30_000;
