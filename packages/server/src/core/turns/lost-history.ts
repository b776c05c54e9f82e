import type { EventData } from "@rightseat/protocol/events/event";
import type { Message } from "@rightseat/protocol/model/message";
import { cutTextTail } from "@rightseat/protocol/text";
import type { ConversationId, MessageId } from "../kernel/ids.ts";
import type { MessageStore } from "../ports/store.ts";

/** How much of the earlier conversation an agent is told that has lost it: the newest. */
export const MAX_HISTORY_CHARS = 16_000;
const MAX_HISTORY_MESSAGES = 100;
const MAX_HISTORY_BYTES = 262_144;

/** What an agent is told of earlier messages. */
export interface ToldHistory {
	text: string;
	/** Something of it was the agent's own. */
	hasAnswers: boolean;
}

/** The newest turns before this prompt as text for the agent; undefined when it never said anything, so that nothing is lost. */
export function earlierTurns(messages: Pick<MessageStore, "page">, id: ConversationId, prompt: MessageId): ToldHistory | undefined {
	const told = toldOf(page(messages, id, prompt));
	if (told === undefined || !told.hasAnswers) return undefined;
	return {
		...told,
		text: `[You have lost the history of this conversation. It ended with:]\n${told.text}\n[End of the history. The message of now:]`,
	};
}

/** The same for a fork whose agent does not know what was said from this message on; undefined when that is nothing. */
export function untoldTurns(
	messages: Pick<MessageStore, "page">,
	id: ConversationId,
	{ prompt, from }: { prompt: MessageId; from: MessageId | null },
): ToldHistory | undefined {
	const found = page(messages, id, prompt);
	const told = toldOf(
		found.slice(
			Math.max(
				0,
				found.findIndex((message) => message.id === from),
			),
		),
	);
	if (told === undefined) return undefined;
	const head = told.hasAnswers
		? "[This conversation goes on from an earlier one, which ended with:]"
		: "[Before this message, and not answered yet:]";
	return { ...told, text: `${head}\n${told.text}\n[The message of now:]` };
}

const page = (messages: Pick<MessageStore, "page">, id: ConversationId, before: MessageId): Message[] =>
	messages.page(id, { before, limit: MAX_HISTORY_MESSAGES, maxBytes: MAX_HISTORY_BYTES }).messages;

function toldOf(found: readonly Message[]): ToldHistory | undefined {
	// Results that wait for the prompt of now come with it.
	const said = found.filter(
		({ content, metadata }) =>
			content !== "" && !("context" in metadata && metadata.context === "pending") && !("task" in metadata && metadata.task !== undefined),
	);
	if (said.length === 0) return undefined;
	const text = said.map(tell).join("\n\n");
	const kept = text.length > MAX_HISTORY_CHARS ? `…${cutTextTail(text, MAX_HISTORY_CHARS)}` : text;
	return { text: kept, hasAnswers: said.some(({ role }) => role === "assistant") };
}

function tell(message: Message): string {
	if (message.role === "assistant") return `You: ${message.content}`;
	return `${message.metadata.bash === true ? "Command of the person" : "Person"}: ${message.content}`;
}

/** What people read about it. */
export const historyLost = (name: string): EventData<"copilot:notice"> => ({
	code: "history-lost",
	message: `${name} has lost its own history of this conversation. It was given the newest messages again.`,
	params: { reason: "told", name },
	lasting: true,
});

/** The code of the notice below. */
export const SESSION_CONTINUED = "session-continued";
/** The same where the agent knows more than the conversation shows. */
export const sessionContinued = (name: string): EventData<"copilot:notice"> => ({
	code: SESSION_CONTINUED,
	message: `This conversation goes on from a session of ${name}: it remembers what was said there, which is not shown here.`,
	params: { name },
	lasting: true,
});

/** The same where a fork's agent could not cut its own history. */
export const forkTold = (name: string): EventData<"copilot:notice"> => ({
	code: "fork-told",
	message: `${name} could not take its own memory into this fork. It was told the newest messages as text.`,
	params: { name },
	lasting: true,
});
