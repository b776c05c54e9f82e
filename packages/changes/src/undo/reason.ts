/** Why a path was left as it is, or what a person should know about one that was not. `protocol` has the sentences. */
export type UndoReason =
	/** How it was, or is, could not be recorded. */
	| "not-covered"
	/** Its bytes are no longer kept. */
	| "expired"
	/** It is already as it would be. */
	| "already-undone"
	/** Something else stands where it should come back. */
	| "in-the-way"
	/** The change made it and somebody went on in it. */
	| "kept-edited"
	/** Somebody removed it since. */
	| "removed-since"
	/** A file has become a link or a folder since, or the other way round. */
	| "kind-changed"
	/** Changed since, and no text that could be merged. */
	| "changed-since"
	/** The same lines, or lines beside them, were edited since. */
	| "same-lines"
	/** Somebody wrote it in the very moment; theirs stays. */
	| "changed-meanwhile"
	| "folder-not-empty"
	/** The folder that the change was made in is no longer there. */
	| "folder-gone"
	/** A folder above it is a link, or no folder. */
	| "link-in-path"
	| "not-allowed"
	| "disk-full"
	| "failed"
	/** Not of this change: changed by others meanwhile. Undone only by name. */
	| "outside"
	/** `HEAD` moved. Undone only by name. */
	| "git"
	| "no-such-hunk"
	/** Named, and not in the change. */
	| "not-in-change"
	/** Done; but others were at work in the same moment, and what they wrote may have gone with it. */
	| "shared"
	/** Done; but a process has it open and goes on writing where nobody looks. */
	| "held-open";
