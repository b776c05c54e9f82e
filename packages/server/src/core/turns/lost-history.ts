import type { EventData } from "@rightseat/protocol/events/event";
import type { Message } from "@rightseat/protocol/model/message";
import { cutTextTail } from "@rightseat/protocol/text";
import type { ConversationId, MessageId } from "../kernel/ids.ts";
import type { MessageStore } from "../ports/store.ts";

/** How much of the earlier conversation an agent is told that has lost it: the newest. */
export const MAX_HISTORY_CHARS = 16_000;
const MAX_HISTORY_MESSAGES = 100;
const MAX_HISTORY_BYTES = 262_144;

/** The newest turns before this prompt as text for the agent; undefined when it never said anything, so that nothing is lost. */
export function earlierTurns(messages: Pick<MessageStore, "page">, id: ConversationId, prompt: MessageId): string | undefined {
	const { messages: found } = messages.page(id, { before: prompt, limit: MAX_HISTORY_MESSAGES, maxBytes: MAX_HISTORY_BYTES });
	if (!found.some(({ role, content }) => role === "assistant" && content !== "")) return undefined;
	const told = found.filter(({ content }) => content !== "").map(tell);
	const text = told.join("\n\n");
	const kept = text.length > MAX_HISTORY_CHARS ? `…${cutTextTail(text, MAX_HISTORY_CHARS)}` : text;
	return `[You have lost the history of this conversation. It ended with:]\n${kept}\n[End of the history. The message of now:]`;
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
