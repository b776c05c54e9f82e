import { isStorageRefusal, RETRY_MS } from "../../../core/active/storage-retry.ts";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { BotClient, CallResult, MessageContent } from "../api/bot-client.ts";
import { sentMessageId } from "../api/sent-message-id.ts";
import type { ChatThread } from "../chats/chat-thread.ts";
import { type LiveCall, type LiveInput, type LiveNote, type LiveState, mayBeSeen, nextLive, pendingEdit } from "./live-state.ts";
import type { LiveStore } from "./live-store.ts";
import { GIVEN_UP, type SendQueue } from "./send-queue.ts";

export interface LiveOptions {
	silent: boolean;
	replyTo?: number;
	/** What the message says if the process dies; without it the message is deleted then. */
	leftover?: string;
}

/** One message that is sent once and then edited to the newest content. */
export interface LiveMessage {
	/** The newest content wins. `urgent` skips the throttle of edits. */
	set(content: MessageContent, urgent?: boolean): void;
	/** The last content: after it a restart leaves the message alone. */
	finish(content: MessageContent): void;
	/** Deletes the message, or never sends it. */
	remove(): void;
	/** Known once Telegram confirmed it. */
	messageId(): number | undefined;
	/** Whether a person may have it before their eyes. */
	mayBeSeen(): boolean;
}

/** Carries out what `nextLive` decides: calls in the chat's send queue, and the note for a next process. */
export function createLiveMessage(deps: {
	client: Pick<BotClient, "sendText" | "editText" | "deleteMessage">;
	thread: ChatThread;
	options: LiveOptions;
	/** Names its send in the queue. */
	key: string;
	queue: () => SendQueue;
	afterCommit: (run: () => void) => void;
	store: Pick<LiveStore, "add" | "forget" | "check">;
	/** The chat must not or cannot be written to. */
	isMuted: () => boolean;
	mayRead: () => boolean;
	clock: Clock;
	logger: Logger;
}): LiveMessage {
	const { client, thread, options, store, queue } = deps;
	let live: LiveState = { state: "unsent" };

	function apply(input: LiveInput): void {
		const step = nextLive(live, input);
		for (const each of step.notes) note(each);
		live = step.state;
		for (const each of step.calls) call(each);
	}

	function note(wanted: LiveNote): void {
		const { chatId } = thread;
		if (wanted.kind === "forget") store.forget(chatId, wanted.messageId);
		else if (wanted.kind === "finish") store.add(chatId, wanted.messageId, wanted.text);
		else if (wanted.kind === "add") store.add(chatId, wanted.messageId, options.leftover);
		// Also where nothing was noted yet, because it was to go before it was known to be there.
		else store.add(chatId, wanted.messageId, undefined);
	}

	function call(wanted: LiveCall): void {
		switch (wanted.kind) {
			case "send":
				// As messages on disk do, or this one would overtake those that were written before it.
				deps.afterCommit(send);
				return;
			case "drop-send":
				queue().dropSend(deps.key);
				return;
			case "edit":
				edit(wanted.messageId, wanted.urgent);
				return;
			case "delete":
				queue().dropEdit(editKey(wanted.messageId));
				queue().remove({
					run: () => client.deleteMessage(thread, wanted.messageId),
					settle: (result) => {
						if (isSettled(result)) apply({ kind: "deleted", messageId: wanted.messageId });
					},
				});
		}
	}

	function send(): void {
		if (live.state !== "sending") return;
		queue().send(deps.key, {
			run: async () => {
				if (live.state !== "sending" || deps.isMuted()) return GIVEN_UP;
				store.check();
				const content = live.wanted;
				apply({ kind: "departed", content });
				const result = await client.sendText(thread, content, options);
				if (result.kind === "unreachable" || (result.kind === "refused" && result.code === 429)) apply({ kind: "turned-back" });
				return result;
			},
			settle: (result) => {
				const messageId = sentMessageId(result);
				apply(messageId === undefined ? { kind: "send-failed" } : { kind: "sent", messageId });
			},
		});
	}

	function edit(messageId: number, urgent: boolean): void {
		const run = async (): Promise<CallResult<unknown>> => {
			const content = pendingEdit(live, messageId);
			if (content === undefined && live.state === "shown" && live.messageId === messageId) apply({ kind: "edited", content: live.shown });
			if (content === undefined || deps.isMuted()) return { kind: "ok", result: true };
			const result = await client.editText(thread, messageId, content);
			if (result.kind === "ok" || isNotModified(result)) apply({ kind: "edited", content });
			return result;
		};
		queue().edit(editKey(messageId), { run, settle: (result) => edited(messageId, result) }, urgent);
	}

	function edited(messageId: number, result: CallResult<unknown>): void {
		// Who is removed meanwhile may read nothing new, and the old words with their buttons would stand there until the next start.
		if (!deps.mayRead()) {
			apply({ kind: "remove" });
			return;
		}
		if (result.kind === "ok" || isNotModified(result)) return;
		if (isGone(result)) return void apply({ kind: "gone", messageId });
		if (isSettled(result)) apply({ kind: "edit-refused", messageId });
		deps.logger.warn({ chatId: thread.chatId, result }, "A message could not be edited");
	}

	/** What cannot be noted now is wanted all the same, and is tried again: whoever wants it does so once, and may be a timer. */
	function want(input: LiveInput): void {
		try {
			apply(input);
		} catch (error) {
			if (!isStorageRefusal(error)) throw error;
			deps.clock.after(RETRY_MS, () => want(input));
		}
	}

	return {
		set: (content, urgent = false) => want({ kind: "set", content, urgent }),
		finish: (content) => want({ kind: "finish", content }),
		remove: () => want({ kind: "remove" }),
		mayBeSeen: () => mayBeSeen(live),
		messageId: () => (live.state === "shown" ? live.messageId : undefined),
	};
}

/** One edit per message waits in the queue. */
export const editKey = (messageId: number) => `message:${messageId}`;

/** Telegram has done it, or never will: nothing is left for the next process. */
export const isSettled = (result: CallResult<unknown>) =>
	result.kind === "ok" || (result.kind === "refused" && result.code >= 400 && result.code < 500 && result.code !== 401);

const isNotModified = (result: CallResult<unknown>) => result.kind === "refused" && /not modified/i.test(result.description);
const isGone = (result: CallResult<unknown>) =>
	result.kind === "refused" && /message to edit not found|MESSAGE_ID_INVALID/i.test(result.description);
