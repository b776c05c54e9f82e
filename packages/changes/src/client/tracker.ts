import type { Actor, ChangeDetail, ChangeFile, ChangeSummary } from "../model.ts";
import type { EditClaim } from "../steps/state-before.ts";
import type { UndoReason } from "../undo/reason.ts";

/** Somebody is at work from now on. */
export interface OpenWindow {
	readonly windowId: string;
	readonly changeId: string;
	readonly conversationId: string;
	readonly kind: "turn" | "command";
	readonly messageId?: string | undefined;
	readonly cwd: string;
	readonly actor: Actor;
	/** What people call it: the command, the name of the tool. */
	readonly label: string;
	/** Absolute. Exactly these files belong to it; how they were is kept even outside a root and even if they are ignored. Without it: the whole root. */
	readonly paths?: readonly string[] | undefined;
	/** `last-sync`: it may have begun before we heard of it, so what the opening sync point finds is its own. */
	readonly since?: "now" | "last-sync" | undefined;
}

export interface UndoRequest {
	readonly conversationId: string;
	/** Newest last; `conversation` stands for everything that the conversation did. */
	readonly changeIds: readonly string[] | "conversation";
	/** Shown names; without them everything that is undone by default. */
	readonly paths?: readonly string[] | undefined;
	/** By shown name: only these hunks of it. */
	readonly hunks?: Readonly<Record<string, readonly string[]>> | undefined;
	readonly preview?: boolean | undefined;
	readonly kind: "undo" | "redo";
	/** The id of the change that this undo is. */
	readonly newChangeId: string;
	readonly messageId?: string | undefined;
}

export interface UndoneFile {
	readonly path: string;
	readonly result: "restored" | "merged" | "skipped";
	/** A code; `protocol` has the sentences. */
	readonly reason?: UndoReason;
	/** Names of the processes that have it open, with the reason `held-open`. */
	readonly holders?: readonly string[];
}

export interface UndoResult {
	readonly files: readonly UndoneFile[];
	/** Missing for a preview, and when nothing was written. */
	readonly change?: ChangeSummary;
	/** What it acted on; `undone`: all of it is undone from now on. */
	readonly undoes: readonly { readonly changeId: string; readonly messageId?: string; readonly undone: boolean }[];
}

export interface DiffLine {
	readonly kind: " " | "+" | "-";
	readonly text: string;
	readonly oldNumber?: number;
	readonly newNumber?: number;
	/** The file ends here without a line feed. */
	readonly noNewline?: true;
}
export interface DiffHunk {
	readonly id: string;
	readonly oldStart: number;
	readonly oldLines: number;
	readonly newStart: number;
	readonly newLines: number;
	readonly lines: readonly DiffLine[];
}
export interface FileHunks {
	readonly file: ChangeFile;
	readonly hunks: readonly DiffHunk[];
	/** Too different to compare: everything is shown as replaced. */
	readonly coarse?: true;
	/** So many lines are left out at the end. */
	readonly truncated?: number;
}

/** A change of a conversation, or all of them folded into one. */
export interface ChangeScope {
	readonly conversationId: string;
	/** `conversation`: everything that it did. */
	readonly changeId: string;
}

/** The recorder does not answer: nothing is lost but what happens meanwhile. */
export interface Unavailable {
	readonly unavailable: true;
}

/** An undo or redo that a crash cut. */
export interface UnfinishedUndo {
	readonly conversationId: string;
	readonly changeId: string;
	readonly kind: "undo" | "redo";
}

/** The other end of the recorder. All its work is done in a process of its own; nothing here takes longer than a message. */
export interface Tracker {
	/** Makes the root of this folder known and begins its first copy in the background. Nobody needs to wait: resolves when that is complete, or after twenty seconds. Never rejects. */
	prepare(cwd: string): Promise<void>;
	/** A sync point; then the window is open. Resolves within two seconds whatever happens. Never rejects. */
	openWindow(window: OpenWindow): Promise<void>;
	/**
	 * The window turned out to write these files too. `isTimely`: it has not begun to, so what is there is the state before; else that is found out where it
	 * can be, and said not to be known where it cannot. Resolves when they were looked at, with the same bound.
	 */
	addPaths(windowId: string, paths: readonly string[], how?: { isTimely?: boolean; claim?: EditClaim | undefined }): Promise<void>;
	/** A sync point; then the window is closed. Same bound; a window that is not open is fine. */
	closeWindow(windowId: string): Promise<void>;
	/** The end of a change: closes its windows, looks at everything once more, makes it durable, and says what it is. Undefined: nothing changed and nothing was missed. Never rejects. */
	settle(changeId: string): Promise<ChangeDetail | Unavailable | undefined>;
	/** Newest first. */
	list(
		conversationId: string,
		page: { before?: string | undefined; limit: number },
	): Promise<{ changes: readonly ChangeSummary[]; nextCursor?: string } | Unavailable>;
	get(scope: ChangeScope): Promise<ChangeDetail | Unavailable | undefined>;
	/** Unified, as `git apply` takes it; of all files without a path, bounded. Undefined: no such change, or no such file in it. */
	diff(scope: ChangeScope, path: string | undefined): Promise<{ bytes: Uint8Array } | Unavailable | undefined>;
	hunks(scope: ChangeScope, path: string, options: { ignoreWhitespace: boolean }): Promise<FileHunks | Unavailable | undefined>;
	/** At most five megabytes, as every file that is covered. */
	content(scope: ChangeScope, path: string, side: "before" | "after"): Promise<{ bytes: Uint8Array } | Unavailable | undefined>;
	undo(request: UndoRequest): Promise<UndoResult | Unavailable | undefined>;
	/** What crashes cut; each waits for a person to post undo (continue) or redo (take back). */
	unfinished(): Promise<readonly UnfinishedUndo[] | Unavailable>;
	/** The conversation is deleted: what only it needed goes. */
	forget(conversationId: string): Promise<void>;
	/** Changes that were open when the server or the recorder ended, settled now. */
	settleLeftOpen(): Promise<readonly ChangeDetail[] | Unavailable>;
	start?(): void;
	close(): Promise<void>;
}
