import { fieldOf } from "@rightseat/protocol/model/field";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { BotClient, CallResult, MessageContent } from "../api/bot-client.ts";
import type { ChatThread } from "../chats/chat-thread.ts";
import type { LiveStore } from "./live-store.ts";
import type { SendQueue } from "./send-queue.ts";

export interface LiveOptions {
	silent: boolean;
	replyTo?: number;
	/** What the message says if the process dies; without it the message is deleted then. */
	leftover?: string;
}

/** One message that is sent once and then edited to the newest content. */
export interface LiveMessage {
	/** The newest content wins. `urgent` does not wait for the distance between edits. */
	set(content: MessageContent, urgent?: boolean): void;
	/** The last content: after it a restart leaves the message alone. */
	finish(content: MessageContent): void;
	/** Deletes the message, or never sends it. */
	remove(): void;
	/** Known once Telegram confirmed it. */
	messageId(): number | undefined;
}

export function createLiveMessage(deps: {
	client: BotClient;
	thread: ChatThread;
	options: LiveOptions;
	/** Names its send in the queue. */
	key: string;
	queue: () => SendQueue;
	afterCommit: (run: () => void) => void;
	store: LiveStore;
	/** The chat must not or cannot be written to. */
	isMuted: () => boolean;
	logger: Logger;
}): LiveMessage {
	const { client, thread, options, store } = deps;
	let state: "new" | "sending" | "shown" | "lost" | "removed" = "new";
	let id: number | undefined;
	let content: MessageContent | undefined;
	let shown: string | undefined;
	let finished = false;
	let replaced = false;

	function send(): void {
		state = "sending";
		// As messages on disk do, or this one would overtake those that were written before it.
		deps.afterCommit(() => {
			if (state === "removed") return;
			deps.queue().send(deps.key, {
				run: async () => {
					if (state === "removed" || content === undefined || deps.isMuted())
						return { kind: "refused", code: 0, description: "not wanted any more" };
					shown = JSON.stringify(content);
					return client.sendText(thread, content, options);
				},
				settle: sent,
			});
		});
	}

	function sent(result: CallResult<unknown>): void {
		const messageId = result.kind === "ok" ? idOf(result.result) : undefined;
		if (messageId === undefined) {
			// Sent or not, a second one would double it.
			if (state === "sending") state = "lost";
			return;
		}
		id = messageId;
		if (state === "removed") {
			remove(messageId);
			return;
		}
		state = "shown";
		if (!finished) store.add(thread.chatId, messageId, options.leftover);
		if (content !== undefined && JSON.stringify(content) !== shown) edit(finished);
	}

	function edit(urgent: boolean): void {
		const messageId = id;
		if (messageId === undefined) return;
		deps.queue().edit(
			`message:${messageId}`,
			{
				run: async () => {
					if (content === undefined || JSON.stringify(content) === shown || deps.isMuted()) return { kind: "ok", result: true };
					const latest = content;
					const result = await client.editText(thread, messageId, latest);
					if (result.kind === "ok" || isNotModified(result)) shown = JSON.stringify(latest);
					return result;
				},
				settle: (result) => edited(result),
			},
			urgent,
		);
	}

	function edited(result: CallResult<unknown>): void {
		if (result.kind === "ok" || isNotModified(result) || id === undefined) return;
		if (
			result.kind === "refused" &&
			/message to edit not found|MESSAGE_ID_INVALID/i.test(result.description) &&
			!replaced &&
			state === "shown"
		) {
			// A person deleted it: one fresh message, then no more.
			replaced = true;
			store.forget(thread.chatId, id);
			id = undefined;
			send();
			return;
		}
		deps.logger.warn({ chatId: thread.chatId, result }, "A message could not be edited");
	}

	function remove(messageId: number): void {
		store.forget(thread.chatId, messageId);
		deps.queue().dropEdit(`message:${messageId}`);
		deps.queue().remove({ run: () => client.deleteMessage(thread, messageId), settle: () => undefined });
	}

	return {
		set(next, urgent = false) {
			if (state === "removed" || finished) return;
			content = next;
			if (state === "new") send();
			else if (state === "shown" && JSON.stringify(next) !== shown) edit(urgent);
		},
		finish(last) {
			if (state === "removed" || finished) return;
			content = last;
			finished = true;
			if (id !== undefined) store.forget(thread.chatId, id);
			if (state === "new") send();
			else if (state === "shown") edit(true);
		},
		remove() {
			if (state === "removed") return;
			const before = state;
			state = "removed";
			if (before === "shown" && id !== undefined) remove(id);
			if (before === "sending") deps.queue().dropSend(deps.key);
		},
		messageId: () => id,
	};
}

const isNotModified = (result: CallResult<unknown>) => result.kind === "refused" && /not modified/i.test(result.description);

function idOf(result: unknown): number | undefined {
	const id = fieldOf(result, "message_id");
	return typeof id === "number" ? id : undefined;
}
