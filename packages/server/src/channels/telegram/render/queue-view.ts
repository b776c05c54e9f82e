import type { LogEvent } from "@rightseat/protocol/events/event";
import type { QueueItem } from "@rightseat/protocol/model/queue";
import type { InlineKeyboardButton } from "grammy/types";
import type { LiveMessage } from "../outbox/live-message.ts";
import { oneLine } from "./status-text.ts";
import type { ViewContext } from "./view-context.ts";

export interface QueueView {
	/** The queue as it is now; prompts of this chat get a message each. */
	show(items: QueueItem[]): void;
	event(frame: LogEvent): void;
	/** The chat shows this conversation no more; `quietly`: nothing about it stays there. */
	leave(how: { quietly: boolean }): void;
}

/** Prompts that wait: one small message each, with its position in the queue, Send now and Cancel. */
export function createQueueView(context: ViewContext): QueueView {
	const { thread, outbox, buttons, conversationId } = context;
	const shown = new Map<string, { live: LiveMessage; keyboard: InlineKeyboardButton[][] }>();

	function show(items: QueueItem[]): void {
		const words = context.words();
		for (const [index, item] of items.entries()) {
			const replyTo = context.prompts.messageOf(thread.chatId, item.messageId);
			if (replyTo === undefined) continue;
			const entry = shown.get(item.messageId) ?? {
				live: outbox.live(thread, { silent: true, replyTo }),
				keyboard: [
					[
						buttons.make(thread.chatId, words.sendNow, { kind: "queue-now", conversationId, messageId: item.messageId }),
						buttons.make(thread.chatId, words.cancel, { kind: "queue-drop", conversationId, messageId: item.messageId }),
					],
				],
			};
			shown.set(item.messageId, entry);
			entry.live.set(
				{ text: words.queued(index + 1, oneLine(context.redact(item.content), 120)), entities: [], keyboard: entry.keyboard },
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
			const text = quietly ? undefined : context.words().queuedElsewhere;
			for (const messageId of [...shown.keys()]) end(messageId, text);
		},
		event(frame) {
			if (frame.type === "copilot:queue") show(frame.data.items);
			else if (frame.type === "copilot:message_removed") end(frame.data.messageId, context.words().droppedFromQueue);
			else if (frame.type === "copilot:message_updated") {
				const { messageId, metadata } = frame.data;
				if (metadata.delivery === "taken") end(messageId, undefined);
				if (metadata.delivery === "steered") end(messageId, context.words().steered);
			}
		},
	};
}
