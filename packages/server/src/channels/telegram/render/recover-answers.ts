import type { Message } from "@rightseat/protocol/model/message";
import { plainText } from "../format/formatted-text.ts";
import type { Messages } from "../messages/messages.ts";
import type { ChatWriter } from "./chat-writer.ts";
import { noteOf, type OpenTurn, type TurnAnswer } from "./deliver-answer.ts";
import { lastAnswer, type UntoldAnswers } from "./untold-answers.ts";
import type { WholeContent } from "./whole-content.ts";

/** Delivers the answers of turns that ended while nobody watched, in order; `messages` are the newest. */
export function createAnswerRecovery(deps: {
	writer: Pick<ChatWriter, "send">;
	deliver: (answer: TurnAnswer) => void;
	openTurn: OpenTurn;
	messageOf: (promptId: string) => number | undefined;
	whole: WholeContent;
	quotePrompt: (promptId: string, known: Message[]) => void;
	words: () => Messages;
}): (untold: UntoldAnswers, messages: Message[], runningUserMessageId: string | undefined) => void {
	const { words, openTurn } = deps;
	return ({ answers, isCut }, messages, runningUserMessageId) => {
		const waited = openTurn.get();
		if (isCut) deps.writer.send({ kind: "text", ...plainText(words().earlierAnswers), silent: true }, { key: `earlier:${answers[0]?.id}` });
		for (const answer of answers) {
			const { id, metadata } = answer;
			const { inReplyTo: promptId, outcome, durationMs, changes } = metadata;
			const replyTo = promptId === undefined ? undefined : deps.messageOf(promptId);
			// The chat knows what it waits for: it was quoted when that began, or said when the chat got the conversation.
			if (replyTo === undefined && promptId !== undefined && promptId !== waited) deps.quotePrompt(promptId, messages);
			const note = noteOf(words(), outcome, metadata, durationMs ?? 0);
			deps.deliver({ messageId: id, promptId, isStored: true, ...deps.whole(answer), note, replyTo, changes });
		}
		if (waited !== runningUserMessageId && openTurn.get() !== undefined) openTurn.set(undefined);
		if (openTurn.told() === undefined) openTurn.answered(undefined, lastAnswer(messages));
	};
}
