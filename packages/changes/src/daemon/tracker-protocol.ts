import {
	type Check,
	hasShape,
	isFlag,
	isNumber,
	isOneOf,
	isText,
	listOf,
	oneOf,
	optional,
	recordOf,
	type Shape,
	type Shapes,
} from "@rightseat/protocol/message-shape";
import type { DiffHunk, DiffLine, FileHunks, OpenWindow, UndoneFile, UndoRequest, UndoResult, UnfinishedUndo } from "../client/tracker.ts";
import type { ChangeDetail, ChangeFile, ChangeSummary, NotCovered } from "../model.ts";
import type { EditClaim } from "../steps/state-before.ts";
import { REASONS } from "../steps/state-code.ts";

/** What is asked of the recorder: by the server of its process, and by that of the threads in it. */
export type Ask =
	| { kind: "prepare"; cwd: string }
	/** `deadline`: when the caller goes on without an answer, in milliseconds since 1970. */
	| { kind: "open"; window: OpenWindow; deadline: number }
	| { kind: "add-paths"; windowId: string; paths: readonly string[]; isTimely: boolean; claim?: EditClaim | undefined; deadline: number }
	| { kind: "close-window"; windowId: string; deadline: number }
	/** Of a thread: the change has no more to do with its root. */
	| { kind: "end"; changeId: string }
	/** Of a thread: answered when the first copy is complete. */
	| { kind: "copied" }
	/** Of a thread: a full look while nobody is at work. */
	| { kind: "verify" }
	| { kind: "settle"; changeId: string; deadline: number }
	| { kind: "list"; conversationId: string; before?: string | undefined; limit: number }
	| { kind: "get"; conversationId: string; changeId: string }
	| { kind: "diff"; conversationId: string; changeId: string; path?: string | undefined }
	| { kind: "hunks"; conversationId: string; changeId: string; path: string; ignoreWhitespace: boolean }
	| { kind: "content"; conversationId: string; changeId: string; path: string; side: "before" | "after" }
	| { kind: "undo"; undo: UndoRequest }
	/** Of a thread: it looks once more and then rests, because an undo of another thread is about to write in its root, until that asks it to refresh. */
	| { kind: "hold" }
	/** Of a thread: this undo wrote in its root as well. */
	| { kind: "refresh"; changeId: string }
	| { kind: "unfinished" }
	| { kind: "forget"; conversationId: string }
	| { kind: "left-open" }
	/** Of a thread: what is too old, too much or no longer needed goes. */
	| { kind: "maintain" };

export type Answer =
	| { kind: "done" }
	| { kind: "failed"; reason: string }
	| { kind: "detail"; detail?: ChangeDetail | undefined }
	| { kind: "details"; details: readonly ChangeDetail[] }
	| { kind: "page"; changes: readonly ChangeSummary[]; nextCursor?: string | undefined }
	| { kind: "bytes"; bytes?: Uint8Array | undefined }
	| { kind: "hunks"; hunks?: FileHunks | undefined }
	| { kind: "undone"; result?: UndoResult | undefined }
	| { kind: "unfinished"; undos: readonly UnfinishedUndo[] };

/** To the process. Both ends are ours and of one build; a message that is none of these is dropped, whole. */
export type ToTrackerd =
	| { kind: "init"; home: string; excluded: readonly string[] }
	| { kind: "ask"; request: number; ask: Ask }
	| { kind: "close" };
export type FromTrackerd = { kind: "ready" } | { kind: "reply"; request: number; answer: Answer };

export const isToTrackerd = (message: unknown): message is ToTrackerd => isOneOf<ToTrackerd>(message, TO_TRACKERD);
export const isFromTrackerd = (message: unknown): message is FromTrackerd => isOneOf<FromTrackerd>(message, FROM_TRACKERD);
/** Also for what the index kept of one. */
export const isOpenWindow = (value: unknown): value is OpenWindow => hasShape(value, WINDOW);

const of =
	<M extends object>(shape: Shape<M>): Check =>
	(value) =>
		hasShape(value, shape);
const isTexts = listOf(isText);
const isActor = oneOf("agent", "agent-shell", "person", "outside");
const isBytes: Check = (value) => value instanceof Uint8Array;
const isTrue: Check = (value) => value === true;

const WINDOW: Shape<Omit<OpenWindow, "kind">> & { kind: Check } = {
	...{ windowId: isText, changeId: isText, conversationId: isText, kind: oneOf("turn", "command"), messageId: optional(isText) },
	...{ cwd: isText, actor: isActor, label: isText, paths: optional(isTexts), since: optional(oneOf("now", "last-sync")) },
};
const UNDO: Shape<Omit<UndoRequest, "kind">> & { kind: Check } = {
	...{ conversationId: isText, changeIds: (value) => value === "conversation" || isTexts(value), paths: optional(isTexts) },
	...{
		hunks: optional(recordOf(isTexts)),
		preview: optional(isFlag),
		kind: oneOf("undo", "redo"),
		newChangeId: isText,
		messageId: optional(isText),
	},
};
const CLAIM: Shape<EditClaim> = { oldText: optional(isText), newText: isText };
const SCOPE = { conversationId: isText, changeId: isText };
const ASKS: Shapes<Ask> = {
	prepare: { cwd: isText },
	open: { window: isOpenWindow, deadline: isNumber },
	"add-paths": { windowId: isText, paths: isTexts, isTimely: isFlag, claim: optional(of(CLAIM)), deadline: isNumber },
	"close-window": { windowId: isText, deadline: isNumber },
	end: { changeId: isText },
	copied: {},
	verify: {},
	settle: { changeId: isText, deadline: isNumber },
	list: { conversationId: isText, before: optional(isText), limit: isNumber },
	get: SCOPE,
	diff: { ...SCOPE, path: optional(isText) },
	hunks: { ...SCOPE, path: isText, ignoreWhitespace: isFlag },
	content: { ...SCOPE, path: isText, side: oneOf("before", "after") },
	undo: { undo: of(UNDO) },
	hold: {},
	refresh: { changeId: isText },
	unfinished: {},
	forget: { conversationId: isText },
	"left-open": {},
	maintain: {},
};

const SUMMARY: Shape<Omit<ChangeSummary, "kind">> & { kind: Check } = {
	...{
		id: isText,
		conversationId: isText,
		messageId: optional(isText),
		kind: oneOf("turn", "command", "undo", "redo"),
		at: isNumber,
		files: isNumber,
	},
	...{ added: isNumber, removed: isNumber, undone: isFlag, root: isText, label: optional(isText), unfinished: optional(isTrue) },
	...{ undoes: optional(isTexts), notCovered: isNumber, partial: optional(isTrue) },
};
const FILE: Shape<ChangeFile> = {
	...{
		path: isText,
		oldPath: optional(isText),
		status: oneOf("added", "modified", "deleted", "renamed", "mode"),
		binary: isFlag,
		added: isNumber,
	},
	...{ removed: isNumber, by: isActor, also: optional(listOf(isActor)), during: optional(isTexts), git: optional(isTrue) },
};
const MISSED: Shape<NotCovered> = { path: isText, reason: oneOf(...REASONS) };
const DETAIL: Shape<ChangeDetail> = { change: of(SUMMARY), files: listOf(of(FILE)), notCovered: listOf(of(MISSED)) };
const LINE: Shape<Omit<DiffLine, "kind">> & { kind: Check } = {
	...{
		kind: oneOf(" ", "+", "-"),
		text: isText,
		oldNumber: optional(isNumber),
		newNumber: optional(isNumber),
		noNewline: optional(isTrue),
	},
};
const HUNK: Shape<DiffHunk> = {
	...{ id: isText, oldStart: isNumber, oldLines: isNumber, newStart: isNumber, newLines: isNumber, lines: listOf(of(LINE)) },
};
const HUNKS: Shape<FileHunks> = { file: of(FILE), hunks: listOf(of(HUNK)), coarse: optional(isTrue), truncated: optional(isNumber) };
const UNDONE_FILE: Shape<UndoneFile> = {
	...{ path: isText, result: oneOf("restored", "merged", "skipped"), reason: optional(isText), holders: optional(isTexts) },
};
const UNDONE_CHANGE: Shape<UndoResult["undoes"][number]> = { changeId: isText, messageId: optional(isText), undone: isFlag };
const UNDONE: Shape<UndoResult> = { files: listOf(of(UNDONE_FILE)), change: optional(of(SUMMARY)), undoes: listOf(of(UNDONE_CHANGE)) };
const UNFINISHED: Shape<Omit<UnfinishedUndo, "kind">> & { kind: Check } = {
	conversationId: isText,
	changeId: isText,
	kind: oneOf("undo", "redo"),
};
const ANSWERS: Shapes<Answer> = {
	done: {},
	failed: { reason: isText },
	detail: { detail: optional(of(DETAIL)) },
	details: { details: listOf(of(DETAIL)) },
	page: { changes: listOf(of(SUMMARY)), nextCursor: optional(isText) },
	bytes: { bytes: optional(isBytes) },
	hunks: { hunks: optional(of(HUNKS)) },
	undone: { result: optional(of(UNDONE)) },
	unfinished: { undos: listOf(of(UNFINISHED)) },
};

const TO_TRACKERD: Shapes<ToTrackerd> = {
	init: { home: isText, excluded: isTexts },
	ask: { request: isNumber, ask: (value) => isOneOf<Ask>(value, ASKS) },
	close: {},
};
const FROM_TRACKERD: Shapes<FromTrackerd> = {
	ready: {},
	reply: { request: isNumber, answer: (value) => isOneOf<Answer>(value, ANSWERS) },
};
