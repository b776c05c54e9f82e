import type { MessageChanges } from "@rightseat/protocol/model/change";
import type { RunningTurn, TurnError } from "@rightseat/protocol/model/turn";
import type { TurnOutcome } from "@rightseat/protocol/model/vocabulary";
import type { ConversationId } from "../../../core/kernel/ids.ts";
import { changeKeyboard } from "../commands/change-buttons.ts";
import type { FormattedText } from "../format/formatted-text.ts";
import type { Messages } from "../messages/messages.ts";
import type { OnSettled } from "../outbox/stored-sends.ts";
import type { ChatWriter } from "./chat-writer.ts";
import { answerMessages } from "./final-answer.ts";

/** The prompt whose answer a chat still waits for, and the last answer that it was told; both survive a crash. */
export interface OpenTurn {
	get(): string | undefined;
	set(userMessageId: string | undefined): void;
	/** Empty before the first one, undefined when nobody knows. */
	told(): string | undefined;
	/** The chat waits no more for the answer to this prompt. `messageId`: that answer, if one is stored. */
	answered(promptId: string | undefined, messageId: string | undefined): void;
}

export interface TurnAnswer {
	/** The stored answer: what is delivered under it is delivered once. */
	messageId: string;
	/** The prompt that it answers. */
	promptId: string | undefined;
	isStored: boolean;
	content: string;
	/** It goes on; the page has the rest. */
	isCut: boolean;
	note: string | undefined;
	replyTo: number | undefined;
	/** What it changed in files. */
	changes?: MessageChanges | undefined;
	onSettled?: OnSettled;
}

/** Sends the answer of a turn and notes, in the same transaction, that the chat was told it and no longer waits for it. */
export function createAnswerDelivery(deps: {
	writer: ChatWriter;
	openTurn: OpenTurn;
	transaction: (work: () => void) => void;
	words: () => Messages;
	conversationId: ConversationId;
	redact: (text: string) => string;
	render: (markdown: string) => FormattedText;
}): (answer: TurnAnswer) => void {
	const { writer, words, conversationId } = deps;
	const keyboardFor = ({ changeId }: MessageChanges) => changeKeyboard(words(), { conversationId, changeId }, writer.button);
	return (answer) => {
		const source = deps.redact(answer.content.trim());
		const { changes, note = source === "" && answer.changes === undefined ? words().saidNothing : "" } = answer;
		const messages = answerMessages({
			source,
			note: changes === undefined ? note : [...(note === "" ? [] : [note]), changesLine(words(), changes)].join("\n\n"),
			caption: (length, isWhole) => (isWhole && !answer.isCut ? words().wholeAnswer(length) : words().answerBegins(length)),
			render: deps.render,
			filename: "answer.md",
			silent: writer.isSilent(),
			replyTo: answer.replyTo,
		});
		deps.transaction(() => {
			const lastText = messages.findLastIndex(({ kind }) => kind === "text");
			for (const [index, plain] of messages.entries()) {
				const isLast = index === messages.length - 1;
				const keyboard = index === lastText && changes !== undefined && changes.files > 0 ? keyboardFor(changes) : undefined;
				const message = plain.kind === "text" && keyboard !== undefined ? { ...plain, keyboard } : plain;
				const shows = isLast ? { conversationId, messageId: answer.messageId } : undefined;
				writer.send({ ...message, shows }, { key: `final:${answer.messageId}:${index}`, onSettled: isLast ? answer.onSettled : undefined });
			}
			deps.openTurn.answered(answer.promptId, answer.isStored ? answer.messageId : undefined);
		});
	};
}

function changesLine(words: Messages, { files, added, removed, notCovered = 0 }: MessageChanges): string {
	const missing = notCovered === 0 ? [] : [words.notRecorded(notCovered)];
	return [...(files === 0 ? [] : [words.changed(files, added, removed)]), ...missing].join(" · ");
}

/** How a turn ended and what one should know about its answer; nothing when it simply answered. */
export function noteOf(words: Messages, outcome: TurnOutcome, turn: Pick<RunningTurn, "error" | "notices">, durationMs: number) {
	const notices = (turn.notices ?? []).map((notice) => `ℹ️ ${words.notice(notice)}`);
	const ending = endingOf(words, outcome, turn.error, durationMs);
	return [...notices, ...(ending === undefined ? [] : [ending])].join("\n") || undefined;
}

function endingOf(words: Messages, outcome: TurnOutcome, error: TurnError | undefined, durationMs: number): string | undefined {
	if (outcome === "completed") return undefined;
	if (outcome === "aborted") return words.stoppedAfter(words.elapsed(durationMs));
	if (error !== undefined) return `⚠️ ${words.error(error)}`;
	return outcome === "interrupted" ? words.interrupted : words.turnFailed;
}
