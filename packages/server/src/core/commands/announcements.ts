import type { Message } from "@rightseat/protocol/model/message";
import type { QueueItem } from "@rightseat/protocol/model/queue";
import { cutText } from "@rightseat/protocol/text";
import { fitList } from "../kernel/fit.ts";
import type { ConversationId, MessageId } from "../kernel/ids.ts";
import type { EventLog } from "../log/event-log.ts";
import type { MessageStore } from "../ports/store.ts";
import { toContextItem } from "./bash-context.ts";

/** Of the queue, as it is told. */
export const MAX_QUEUE_BYTES = 131_072;

/** Tells every reader what changed among the stored prompts and results. Whoever changes one and does not say so leaves two versions on two screens. */
export interface Announcements {
	/** A new prompt or `!cmd` result. */
	added(id: ConversationId, message: Message): void;
	/** How a prompt or a `!cmd` result is stored now. */
	updated(id: ConversationId, messageId: MessageId): void;
	/** The prompts that wait. */
	queue(id: ConversationId): void;
	/** The `!cmd` results that the next prompt will carry. */
	context(id: ConversationId): void;
}

/** Reads what is stored at the moment of the call, so call it after the change and inside its commit. */
export function createAnnouncements(deps: {
	messages: Pick<MessageStore, "find" | "queued" | "pendingContext">;
	log: Pick<EventLog, "append">;
}): Announcements {
	const { messages, log } = deps;
	return {
		added(id, message) {
			if (message.role !== "user") return;
			const { id: messageId, content, metadata, createdAt } = message;
			log.append(id, { type: "copilot:user_message", data: { messageId, content, metadata, origin: metadata.origin, createdAt } });
		},
		updated(id, messageId) {
			const message = messages.find(id, messageId);
			if (message?.role !== "user") return;
			const { content, metadata, createdAt } = message;
			log.append(id, { type: "copilot:message_updated", data: { messageId, content, metadata, createdAt } });
		},
		queue: (id) => log.append(id, { type: "copilot:queue", data: { items: fitQueue(messages.queued(id).map(toQueueItem)) } }),
		context: (id) => log.append(id, { type: "bash:context", data: { items: messages.pendingContext(id).map(toContextItem) } }),
	};
}

/** The queue as every change of it is told: of long prompts the beginning, or a full queue would be sent again and again to everyone. */
export function fitQueue(items: readonly QueueItem[]): QueueItem[] {
	return fitList(items, MAX_QUEUE_BYTES, (item, { text }) => {
		const { content } = item;
		return content.length <= text ? item : { ...item, content: cutText(content, text), truncated: item.truncated ?? content.length };
	});
}

/** A queued prompt as readers see it. */
export function toQueueItem({ id, content, metadata }: Message): QueueItem {
	const clientMessageId = "clientMessageId" in metadata ? metadata.clientMessageId : undefined;
	return { messageId: id, content, ...(clientMessageId === undefined ? {} : { clientMessageId }) };
}
