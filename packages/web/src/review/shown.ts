import type { Change, ChangedFile, NotCovered } from "@rightseat/protocol/model/change";

/** A file of the panel: of a change, or of git, which does not know who changed it. */
export type ShownFile = Omit<ChangedFile, "by"> & {
	by?: ChangedFile["by"];
	/** Of the bytes on disk, so that a commit takes exactly what was seen. */
	sha256?: string | undefined;
};

/** What the panel shows at once. */
export interface Shown {
	files: readonly ShownFile[];
	notCovered: readonly NotCovered[];
	/** How many files there are, when not all of them are listed. */
	truncated?: number | undefined;
	/** Not of git's own scopes. */
	change?: Change;
	counts: { files: number; added: number; removed: number };
}
