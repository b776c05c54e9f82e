/** What the panel of changes shows: one change, all of the conversation, or what git says about its folder. */
export type ReviewScope = { kind: "change"; changeId: string } | { kind: "conversation" } | { kind: "branch" } | { kind: "uncommitted" };

/** What is to be taken back or brought back; without paths all of it that is by default. */
export interface UndoRequest {
	kind: "undo" | "redo";
	/** `conversation` alone stands for everything that it did. */
	changeIds: readonly string[];
	paths?: readonly string[];
	hunks?: Readonly<Record<string, readonly string[]>>;
}
