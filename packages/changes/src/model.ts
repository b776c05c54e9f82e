/** What is recorded: states of paths, and steps from one to the next. */

declare const brand: unique symbol;
/** A value that is told apart from others of its base type at compile time only. */
type Brand<T, B extends string> = T & { readonly [brand]: B };

/** The bytes of a path relative to its root, one character for each byte (latin1), `/` between names. Never UTF-8 text: see `paths/byte-path.ts`. */
export type BytePath = Brand<string, "BytePath">;

/** Why a path, or a whole root, is not covered. `protocol` has the sentences. */
export type NotCoveredReason =
	/** Larger than a file may be (5 MB). */
	| "too-large"
	| "unreadable"
	/** It changed each time while it was read. */
	| "unstable"
	/** A socket, pipe or device. */
	| "special"
	| "ignored"
	/** The root has more files than are kept in sight. */
	| "too-many-files"
	/** The time of a sync point was up before it was looked at. */
	| "too-slow"
	/** It changed before its first copy was made. */
	| "not-copied"
	/** What one sync point may store was reached. */
	| "too-much"
	| "disk-full"
	/** `/`, the home directory and the temporary directory themselves. */
	| "root-refused"
	/** Nothing under `.git` is recorded. */
	| "git-directory"
	/** Whoever runs the recorder keeps its own files there. */
	| "own-files"
	/** The folder, or the disk below it, does not answer. */
	| "not-answering"
	/** The recorder was down, or was started again, meanwhile. */
	| "recorder-down"
	/** Its bytes are no longer kept. */
	| "expired";

/** How a path was at one moment. */
export type PathState =
	| { readonly kind: "absent" }
	/** `hash`: SHA-256 of the raw bytes, in hex. `mode`: all twelve permission bits. */
	| { readonly kind: "file"; readonly hash: string; readonly size: number; readonly mode: number }
	/** `target`: the bytes of the link as latin1. */
	| { readonly kind: "link"; readonly target: string }
	| { readonly kind: "folder"; readonly mode: number }
	| { readonly kind: "unknown"; readonly reason: NotCoveredReason };

/** Who changed a file: the agent with a tool, its shell, a person with a command, or somebody else. */
export type Actor = "agent" | "agent-shell" | "person" | "outside";

/** One difference that a sync point found, as one change sees it. */
export interface Step {
	readonly changeId: string;
	/** Real path of the root, latin1 of its bytes. */
	readonly root: string;
	readonly path: BytePath;
	readonly before: PathState;
	readonly after: PathState;
	/** The change's own actor first; more than one when windows overlapped. */
	readonly actors: readonly Actor[];
	/** Labels of the windows that were open. */
	readonly windows: readonly string[];
	readonly at: number;
	/** `HEAD` moved meanwhile: a git command did this. */
	readonly head?: { readonly from: string; readonly to: string };
}

/** Contents by their hash. */
export interface Blobs {
	/** Keeps the bytes and returns their SHA-256 in hex. Throws `StoreFullError` when there is no room. */
	put(bytes: Uint8Array): string;
	/** Undefined when they are not kept, or are damaged. */
	get(hash: string): Uint8Array | undefined;
	/** Resolves when everything that was put survives a power cut. */
	sync(): Promise<void>;
}

export type ChangeKind = "turn" | "command" | "undo" | "redo";

/** A change in a list. */
export interface ChangeSummary {
	readonly id: string;
	readonly conversationId: string;
	readonly messageId?: string;
	readonly kind: ChangeKind;
	readonly at: number;
	readonly files: number;
	readonly added: number;
	readonly removed: number;
	readonly undone: boolean;
	/** Where its paths begin, as shown. */
	readonly root: string;
	readonly label?: string;
	/** An undo or redo that a crash cut. */
	readonly unfinished?: true;
	/** What an undo or redo takes back. */
	readonly undoes?: readonly string[];
	readonly notCovered: number;
	/** Told before everything was looked at; the rest follows. */
	readonly partial?: true;
}

export type FileStatus = "added" | "modified" | "deleted" | "renamed" | "mode";

/** One file of a change. Names are shown ones; `paths/shown-path.ts` turns them back into bytes. */
export interface ChangeFile {
	readonly path: string;
	readonly oldPath?: string;
	readonly status: FileStatus;
	readonly binary: boolean;
	readonly added: number;
	readonly removed: number;
	readonly by: Actor;
	/** Others who may have done it: their windows were open as well. */
	readonly also?: readonly Actor[];
	/** Labels of the windows that were open. */
	readonly during?: readonly string[];
	/** `HEAD` moved meanwhile; not undone unless it is named. */
	readonly git?: true;
}

export interface NotCovered {
	/** Shown name; empty for the whole root. */
	readonly path: string;
	readonly reason: NotCoveredReason;
}

export interface ChangeDetail {
	readonly change: ChangeSummary;
	readonly files: readonly ChangeFile[];
	readonly notCovered: readonly NotCovered[];
}
