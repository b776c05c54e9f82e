import type { RunningTurn, TurnError } from "@rightseat/protocol/model/turn";
import type { TurnOutcome } from "@rightseat/protocol/model/vocabulary";
import type { FormattedText } from "../format/formatted-text.ts";
import type { Messages } from "../messages/messages.ts";
import type { OnSettled } from "../outbox/stored-sends.ts";
import type { ChatWriter } from "./chat-writer.ts";
import { answerMessages } from "./final-answer.ts";

/** The prompt whose answer a chat still waits for; survives a crash. */
export interface OpenTurn {
	get(): string | undefined;
	set(userMessageId: string | undefined): void;
}

export interface TurnAnswer {
	/** The stored answer: what is delivered under it is delivered once. */
	messageId: string;
	content: string;
	note: string | undefined;
	replyTo: number | undefined;
	onSettled?: OnSettled;
}

/** Sends the answer of a turn and notes, in the same transaction, that the chat no longer waits for one. */
export function createAnswerDelivery(deps: {
	writer: ChatWriter;
	openTurn: OpenTurn;
	transaction: (work: () => void) => void;
	words: () => Messages;
	redact: (text: string) => string;
	render: (markdown: string) => FormattedText;
}): (answer: TurnAnswer) => void {
	const { writer, words } = deps;
	return (answer) => {
		const source = deps.redact(answer.content.trim());
		const messages = answerMessages({
			source,
			note: answer.note ?? (source === "" ? words().saidNothing : ""),
			caption: words().wholeAnswer,
			render: deps.render,
			filename: "answer.md",
			silent: writer.isSilent(),
			replyTo: answer.replyTo,
		});
		deps.transaction(() => {
			for (const [index, message] of messages.entries()) {
				const isLast = index === messages.length - 1;
				writer.send(message, { key: `final:${answer.messageId}:${index}`, onSettled: isLast ? answer.onSettled : undefined });
			}
			deps.openTurn.set(undefined);
		});
	};
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
