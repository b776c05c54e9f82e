import { createHash } from "node:crypto";
import type { UndoResult } from "@rightseat/protocol/http/changes";
import type { UndoneFile } from "@rightseat/protocol/model/change";
import type { InlineKeyboardButton } from "grammy/types";
import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import { conversationId as toConversationId } from "../../../core/kernel/ids.ts";
import { type ChatThread, threadKey } from "../chats/chat-thread.ts";
import { plainText } from "../format/formatted-text.ts";
import type { Messages } from "../messages/messages.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { ButtonAction, Buttons } from "./buttons.ts";

/** Longest diff that is sent as a file; the page has all of it. */
export const MAX_DIFF_BYTES = 1_048_576;
/** Files that a preview or a result names; the others are counted. */
const MAX_NAMED_FILES = 20;
const MAX_NAME_CHARS = 120;

/** A change that buttons are about. */
export interface ChangeRef {
	conversationId: string;
	changeId: string;
}

/** What the buttons under an answer that changed files do. Each may be tapped twice: the same is sent once, and done once. */
export interface ChangeButtons {
	/** Sends the diff as a file. */
	diff(at: ChangeTap): Promise<string>;
	/** Says what an undo would do, with a button that does it. */
	preview(at: ChangeTap): Promise<string>;
	/** Does it, and says what became of every file. */
	run(at: ChangeTap, kind: "undo" | "redo"): Promise<string>;
}

/** A tap, and on which change. */
export interface ChangeTap extends ChangeRef {
	thread: ChatThread;
	by: string;
	words: Messages;
}

/** The row of buttons under an answer that changed files. */
export const changeKeyboard = (
	words: Messages,
	ref: ChangeRef,
	button: (text: string, action: ButtonAction) => InlineKeyboardButton,
): InlineKeyboardButton[][] => [
	[button(words.diff, { kind: "change-diff", ...ref }), button(words.undo, { kind: "change-preview", ...ref })],
];

/** Writes through the outbox, so that whatever was promised arrives once. */
export function createChangeButtons(deps: {
	conversations: Pick<EveryConversations, "changes">;
	outbox: Pick<Outbox, "send">;
	buttons: Pick<Buttons, "make">;
	redact: (text: string) => string;
}): ChangeButtons {
	const { changes } = deps.conversations;
	/** Undos under way, by change: a second tap joins the first. */
	const running = new Map<string, Promise<UndoResult>>();

	function say({ thread, conversationId }: ChangeTap, text: string, key: string, keyboard: InlineKeyboardButton[][]): void {
		const { text: shown, entities } = plainText(deps.redact(text));
		deps.outbox.send(
			thread,
			{ kind: "text", text: shown.slice(0, 4096).toWellFormed(), entities, keyboard },
			{ key: `${threadKey(thread)}:${key}`, conversationId },
		);
	}

	function undo({ conversationId, changeId, by }: ChangeTap, kind: "undo" | "redo"): Promise<UndoResult> {
		const key = `${kind} ${changeId}`;
		const known = running.get(key);
		if (known !== undefined) return known;
		const request = { changeIds: [changeId], kind };
		const done = changes
			.undo(toConversationId(conversationId), request, { origin: "telegram", from: by })
			.finally(() => running.delete(key));
		running.set(key, done);
		return done;
	}

	return {
		async diff(tap) {
			const { thread, conversationId, changeId, words } = tap;
			const bytes = Buffer.from(await changes.diff(toConversationId(conversationId), changeId));
			if (bytes.length === 0) return words.nothingToShow;
			const isCut = bytes.length > MAX_DIFF_BYTES;
			const content = deps.redact(bytes.subarray(0, MAX_DIFF_BYTES).toString("utf8").toWellFormed());
			deps.outbox.send(
				thread,
				{ kind: "document", filename: "changes.diff", content, ...(isCut ? { caption: words.diffCut(megabytes(MAX_DIFF_BYTES)) } : {}) },
				{ key: `${threadKey(thread)}:diff:${changeId}`, conversationId },
			);
			return words.diffSent;
		},
		async preview(tap) {
			const { thread, conversationId, changeId, words } = tap;
			const request = { changeIds: [changeId], kind: "undo" as const, preview: true };
			const { files } = await changes.undo(toConversationId(conversationId), request);
			const count = files.filter(({ result }) => result !== "skipped").length;
			const confirm = { kind: "change-undo" as const, conversationId, changeId };
			const keyboard = count === 0 ? [] : [[deps.buttons.make(thread.chatId, words.undoNow(count), confirm)]];
			const text = [count === 0 ? words.nothingToUndo : words.undoWould, ...fileLines(words, files)].join("\n");
			// The same preview is said once, however often it is asked for.
			say(tap, text, `undo-preview:${changeId}:${fingerprint(files)}`, keyboard);
			return words.lookBelow;
		},
		async run(tap, kind) {
			const { thread, conversationId, changeId, words } = tap;
			const result = await undo(tap, kind);
			if (result.changeId === undefined) return kind === "undo" ? words.nothingToUndo : words.nothingToRedo;
			const back = kind === "undo" ? ("change-redo" as const) : ("change-preview" as const);
			const button = deps.buttons.make(thread.chatId, kind === "undo" ? words.redo : words.undo, { kind: back, conversationId, changeId });
			const text = [kind === "undo" ? words.undone : words.redone, ...fileLines(words, result.files)].join("\n");
			say(tap, text, `undone:${result.changeId}`, [[button]]);
			return kind === "undo" ? words.undone : words.redone;
		},
	};
}

const megabytes = (bytes: number) => bytes / 1_048_576;
const fingerprint = (files: readonly UndoneFile[]) => createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 16);

function fileLines(words: Messages, files: readonly UndoneFile[]): string[] {
	const lines = files.slice(0, MAX_NAMED_FILES).map(({ path, result, reason }) => {
		const name = path.length <= MAX_NAME_CHARS ? path : `…${path.slice(1 - MAX_NAME_CHARS)}`;
		if (result === "restored") return `↩ ${name}`;
		return result === "merged" ? `⇄ ${words.fileMerged(name)}` : `– ${words.fileSkipped(name, reason ?? "failed")}`;
	});
	const more = files.length - lines.length;
	return more > 0 ? [...lines, words.moreFiles(more)] : lines;
}
