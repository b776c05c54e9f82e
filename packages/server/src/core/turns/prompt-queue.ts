import { MAX_QUEUE_CHARS, MAX_QUEUE_ITEMS } from "@rightseat/protocol/limits";
import type { UserMessage } from "@rightseat/protocol/model/message";
import type { QueueItem } from "@rightseat/protocol/model/queue";
import type { ActiveConversations } from "../active/active-conversations.ts";
import type { ConversationRows } from "../active/conversation-rows.ts";
import { type Announcements, toQueueItem } from "../commands/announcements.ts";
import { AppError } from "../kernel/errors.ts";
import { type ConversationId, type MessageId, messageId as toMessageId } from "../kernel/ids.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { EventLog } from "../log/event-log.ts";
import type { MessageStore } from "../ports/store.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { type Steering, setDelivery } from "./steering.ts";

/** The prompts of a conversation that wait for their turn. */
export interface PromptQueue {
	queue(id: ConversationId): QueueItem[];
	editQueued(id: ConversationId, message: MessageId, content: string): void;
	moveQueued(id: ConversationId, message: MessageId, toIndex: number): void;
	dropQueued(id: ConversationId, message: MessageId): void;
	/** Steers it into the running turn; where none runs that could take it, it is the next one. */
	sendQueuedNow(id: ConversationId, message: MessageId): void;
}

/** The queue is in the store; every change is one commit with its announcement. */
export function createPromptQueue(deps: {
	messages: MessageStore;
	log: Pick<EventLog, "append" | "commit">;
	redactor: Redactor;
	active: Pick<ActiveConversations, "find">;
	rows: ConversationRows;
	announce: Pick<Announcements, "updated" | "queue">;
	dispatcher: Pick<Dispatcher, "resume">;
	steering: Steering;
}): PromptQueue {
	const { messages, log, announce } = deps;

	/** Throws `message-not-found` when it was taken up or dropped. */
	function getQueued(id: ConversationId, messageId: MessageId): UserMessage {
		deps.rows.getOpen(id);
		const message = messages.queued(id).find((candidate) => candidate.id === messageId);
		if (message?.role === "user") return message;
		throw new AppError("message-not-found", "This prompt is not in the queue any more: it was taken up or dropped.", {
			params: { reason: "not-queued" },
		});
	}
	function move(id: ConversationId, messageId: MessageId, toIndex: number): void {
		const others = messages.queued(id).flatMap((message) => (message.id === messageId ? [] : [toMessageId(message.id)]));
		log.commit(() => {
			messages.orderQueue(id, [...others.slice(0, toIndex), messageId, ...others.slice(toIndex)]);
			announce.queue(id);
		});
	}

	return {
		queue(id) {
			deps.rows.get(id);
			return messages.queued(id).map(toQueueItem);
		},
		editQueued(id, messageId, given) {
			const content = deps.redactor.text(given);
			getQueued(id, messageId);
			if (content.trim() === "") throw emptyQueued();
			checkQueueRoom(
				messages.queued(id).filter((message) => message.id !== messageId),
				content,
			);
			log.commit(() => {
				messages.update(id, messageId, { content });
				announce.updated(id, messageId);
				announce.queue(id);
			});
		},
		moveQueued(id, messageId, toIndex) {
			getQueued(id, messageId);
			move(id, messageId, toIndex);
		},
		dropQueued(id, messageId) {
			getQueued(id, messageId);
			log.commit(() => {
				messages.delete(id, messageId);
				log.append(id, { type: "copilot:message_removed", data: { messageId } });
				announce.queue(id);
			});
		},
		sendQueuedNow(id, messageId) {
			const message = getQueued(id, messageId);
			const turn = deps.active.find(id)?.turn;
			if (turn?.steerable() === undefined) {
				move(id, messageId, 0);
				return deps.dispatcher.resume(id);
			}
			const taken = log.commit(() => {
				setDelivery(messages, id, messageId, "steered");
				announce.updated(id, messageId);
				announce.queue(id);
				return deps.steering.take(id, message);
			});
			deps.steering.steer(turn, { conversationId: id, messageId, taken });
		},
	};
}

/** Throws `queue-full` when this prompt does not fit behind the ones that wait. */
export function checkQueueRoom(waiting: readonly { content: string }[], prompt: string): void {
	const chars = waiting.reduce((sum, item) => sum + item.content.length, prompt.length);
	if (waiting.length < MAX_QUEUE_ITEMS && chars <= MAX_QUEUE_CHARS) return;
	const full =
		waiting.length >= MAX_QUEUE_ITEMS ? `${waiting.length} prompts wait already.` : "The prompts that wait are too long together.";
	throw new AppError("queue-full", `${full} Wait for one to be taken up, or drop one.`, {
		retryable: true,
		params: { reason: waiting.length >= MAX_QUEUE_ITEMS ? "too-many" : "too-long", count: waiting.length },
	});
}

const emptyQueued = () =>
	new AppError("empty-prompt", "A queued prompt cannot be empty. Drop it instead.", { params: { reason: "queued" } });
