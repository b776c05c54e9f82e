import type { LogEvent } from "@rightseat/protocol/events/event";
import type { QueueItem } from "@rightseat/protocol/model/queue";
import type { InlineKeyboardButton } from "grammy/types";
import type { ConversationId } from "../../../core/kernel/ids.ts";
import type { Messages } from "../messages/messages.ts";
import type { LiveMessage } from "../outbox/live-message.ts";
import type { ChatWriter } from "./chat-writer.ts";
import { oneLine } from "./status-text.ts";

export interface QueueView {
	/** The queue as it is now; prompts of this chat get a message each. */
	show(items: QueueItem[]): void;
	event(frame: LogEvent): void;
	/** The chat shows this conversation no more; `quietly`: nothing about it stays there. */
	leave(how: { quietly: boolean }): void;
}

/** Prompts that wait: one small message each, with its position in the queue, Send now and Cancel. */
export function createQueueView(deps: {
	conversationId: ConversationId;
	writer: ChatWriter;
	words: () => Messages;
	redact: (text: string) => string;
	/** The person's message in this chat that became the prompt. */
	messageOf: (promptId: string) => number | undefined;
}): QueueView {
	const { conversationId, writer } = deps;
	const shown = new Map<string, { live: LiveMessage; keyboard: InlineKeyboardButton[][] }>();

	function show(items: QueueItem[]): void {
		const words = deps.words();
		for (const [index, item] of items.entries()) {
			const replyTo = deps.messageOf(item.messageId);
			if (replyTo === undefined) continue;
			const entry = shown.get(item.messageId) ?? {
				live: writer.live({ silent: true, replyTo }),
				keyboard: [
					[
						writer.button(words.sendNow, { kind: "queue-now", conversationId, messageId: item.messageId }),
						writer.button(words.cancel, { kind: "queue-drop", conversationId, messageId: item.messageId }),
					],
				],
			};
			shown.set(item.messageId, entry);
			entry.live.set(
				{ text: words.queued(index + 1, oneLine(deps.redact(item.content), 120)), entities: [], keyboard: entry.keyboard },
				true,
			);
		}
	}

	function end(messageId: string, text: string | undefined): void {
		const entry = shown.get(messageId);
		if (entry === undefined) return;
		shown.delete(messageId);
		if (text === undefined) entry.live.remove();
		else entry.live.finish({ text, entities: [] });
	}

	return {
		show,
		leave({ quietly }) {
			const text = quietly ? undefined : deps.words().queuedElsewhere;
			for (const messageId of [...shown.keys()]) end(messageId, text);
		},
		event(frame) {
			if (frame.type === "copilot:queue") show(frame.data.items);
			else if (frame.type === "copilot:message_removed") end(frame.data.messageId, deps.words().droppedFromQueue);
			else if (frame.type === "copilot:message_updated") {
				const { messageId, metadata } = frame.data;
				if (metadata.delivery === "taken") end(messageId, undefined);
				if (metadata.delivery === "steered") end(messageId, deps.words().steered);
			}
		},
	};
}
