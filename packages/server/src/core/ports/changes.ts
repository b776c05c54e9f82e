import type { ChangeDetail, FileHunks } from "@rightseat/protocol/http/changes";
import type { Change, ChangeActor, ChangeKind, UndoneChange, UndoneFile } from "@rightseat/protocol/model/change";
import type { ConversationId } from "../kernel/ids.ts";
import type { Lifecycle } from "./lifecycle.ts";

/**
 * Records what happens to files around everything that agent and people run, and takes it back. All of its work is done in a process of its own; one that
 * is down costs a turn nothing but what could not be recorded, and that is named. What records never rejects; what is asked for rejects with
 * `changes-unavailable` when no answer comes.
 */
export interface ChangeTracker extends Lifecycle {
	/** Makes the root of this folder known and begins its first copy in the background. */
	prepare(cwd: string): void;
	/** What changes from now on belongs to this window; resolves when the state before it is known, within two seconds whatever happens. Undefined: nothing to wait for. */
	openWindow(window: ChangeWindow): Promise<void> | undefined;
	/** More files that an open window names; resolves when they were looked at, with the same bound. */
	addPaths(windowId: string, paths: readonly string[], how: NamingOfFiles): Promise<void> | undefined;
	/** The same bound; a window that is not open is fine. */
	closeWindow(windowId: string): Promise<void>;
	/** Closes what is still open of the change and says what it is; the same bound. */
	settle(changeId: string): Promise<SettledChange>;
	/** What a change is that an earlier process began; what that left open is settled first. Rejects with `changes-unavailable`. */
	recall(conversationId: ConversationId, changeId: string): Promise<RecalledChange | undefined>;

	/** Newest first. */
	list(conversationId: ConversationId, page: { before?: string; limit: number }): Promise<ChangePage>;
	/** Undefined when there is no such change, here and below also when it has no such file. */
	get(conversationId: ConversationId, changeId: ChangeScope): Promise<ChangeDetail | undefined>;
	/** A unified diff that `git apply` takes, of one file or of all; bounded. */
	diff(conversationId: ConversationId, changeId: ChangeScope, path?: string): Promise<Uint8Array | undefined>;
	hunks(
		conversationId: ConversationId,
		changeId: ChangeScope,
		file: { path: string; ignoreWhitespace: boolean },
	): Promise<FileHunks | undefined>;
	/** Undefined also when the file is not there on that side. Rejects with `too-large`. */
	content(conversationId: ConversationId, changeId: ChangeScope, file: FileSide): Promise<Uint8Array | undefined>;
	/** Undefined when one of the changes does not exist. */
	undo(request: UndoRequest): Promise<UndoOutcome | undefined>;
	/** Everything about the conversation goes. */
	forget(conversationId: ConversationId): Promise<void>;
}

/** A page of changes; the cursor leads to older ones. */
export interface ChangePage {
	changes: RecordedChange[];
	nextCursor?: string;
}

/** One change by its id, or `conversation`: everything that the conversation did, folded into one. */
export type ChangeScope = string;

/** Something that runs and may change files. */
export interface ChangeWindow {
	windowId: string;
	/** Windows of one change share it. */
	changeId: string;
	conversationId: ConversationId;
	kind: "turn" | "command";
	/** The message that the change belongs to. */
	messageId?: string;
	cwd: string;
	actor: Exclude<ChangeActor, "outside">;
	/** The command or the tool, for people. */
	label: string;
	/** Absolute: exactly these files belong to it, wherever they are. Without them the whole root is watched. */
	paths?: readonly string[];
	/** `last-sync`: it may have begun before we heard of it. */
	since?: "now" | "last-sync";
}

/** When and how files are named that a window did not name at its beginning. */
export interface NamingOfFiles {
	/** The tool waits for us: what is there now is the state before it. */
	isTimely?: boolean;
	/** What the tool says that it makes of what; believed where it fits what is on disk. */
	claim?: { oldText?: string; newText: string };
}

/** A change as it was recorded: one thing made it. */
export type RecordedChange = Change & { kind: ChangeKind };

/** What came of a change. `changed` without files: something could not be recorded. */
export type SettledChange = { kind: "nothing" } | { kind: "changed"; change: RecordedChange } | { kind: "unavailable" };

/** A change that readers may not know yet. */
export interface RecalledChange {
	change: RecordedChange;
	/** Of an undo or a redo. */
	undoes: readonly UndoneChange[];
}

/** One side of one file. */
export interface FileSide {
	path: string;
	side: "before" | "after";
}

/** What to take back or bring back; without `paths` and `hunks` all of it. */
export interface UndoRequest {
	conversationId: ConversationId;
	changeIds: readonly ChangeScope[];
	kind: "undo" | "redo";
	/** The id of the change that this makes. */
	newChangeId: string;
	paths?: readonly string[] | undefined;
	hunks?: Readonly<Record<string, readonly string[]>> | undefined;
	preview?: boolean | undefined;
}

/** What became of every file, and of the changes as a whole. */
export interface UndoOutcome {
	files: UndoneFile[];
	/** Its own, when it wrote anything. */
	change?: RecordedChange;
	undoes: UndoneChange[];
}
