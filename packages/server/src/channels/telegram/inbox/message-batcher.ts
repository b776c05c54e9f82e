import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import { type ChatThread, sameThread, threadKey } from "../chats/chat-thread.ts";
import type { Incoming } from "./incoming.ts";

/** A client cuts long pastes at 4,096 characters; a text this long may have a rest. */
const NEAR_LIMIT_CHARS = 4_000;
const PASTE_WAIT_MS = 1_500;
const ALBUM_WAIT_MS = 1_000;
const FORWARD_WAIT_MS = 1_000;
/** Messages that are joined at most. */
export const MAX_JOINED = 50;

export interface MessageBatcher {
	add(message: Incoming): void;
	/** Whether this message is, or may be, a piece of something. */
	isPiece(message: Incoming): boolean;
	/** A message that still waits was edited; false if it does not wait. */
	edit(chatId: number, messageId: number, text: string): boolean;
	/** Forgets what waits in this chat and returns it. */
	cancel(thread: ChatThread): Incoming[];
	close(): void;
}

interface Batch {
	messages: Incoming[];
	kind: "paste" | "album" | "forward";
	cancel: Cancel;
}

/** Joins what a person sent as one thing and Telegram delivers in pieces; everything else goes on at once. */
export function createMessageBatcher(clock: Clock, onBatch: (messages: Incoming[]) => void): MessageBatcher {
	const batches = new Map<string, Batch>();
	const keyOf = (message: Incoming) => `${threadKey(message.thread)}:${message.user.id}`;

	function flush(key: string): void {
		const batch = batches.get(key);
		if (batch === undefined) return;
		batches.delete(key);
		batch.cancel();
		onBatch(batch.messages);
	}

	function wait(key: string, kind: Batch["kind"], messages: Incoming[]): void {
		batches.get(key)?.cancel();
		const waitMs = kind === "paste" ? PASTE_WAIT_MS : kind === "album" ? ALBUM_WAIT_MS : FORWARD_WAIT_MS;
		batches.set(key, { kind, messages, cancel: clock.after(waitMs, () => flush(key)) });
	}

	return {
		add(message) {
			const key = keyOf(message);
			const batch = batches.get(key);
			const kind = kindOf(message);
			if (batch !== undefined && batch.messages.length < MAX_JOINED && belongs(batch, message)) {
				wait(key, batch.kind, [...batch.messages, message]);
				if (batch.kind === "paste" && kind !== "paste") flush(key);
				return;
			}
			flush(key);
			if (kind === undefined) onBatch([message]);
			else wait(key, kind, [message]);
		},
		isPiece: (message) => batches.has(keyOf(message)) || kindOf(message) !== undefined,
		edit(chatId, messageId, text) {
			for (const batch of batches.values()) {
				const index = batch.messages.findIndex((each) => each.thread.chatId === chatId && each.messageId === messageId);
				const found = batch.messages[index];
				if (found === undefined) continue;
				batch.messages[index] = { ...found, text };
				return true;
			}
			return false;
		},
		cancel(thread) {
			const dropped: Incoming[] = [];
			for (const [key, batch] of batches) {
				if (!batch.messages.some((message) => sameThread(message.thread, thread))) continue;
				batch.cancel();
				batches.delete(key);
				dropped.push(...batch.messages);
			}
			return dropped;
		},
		close() {
			for (const batch of batches.values()) batch.cancel();
			batches.clear();
		},
	};
}

function kindOf(message: Incoming): Batch["kind"] | undefined {
	if (message.mediaGroupId !== undefined) return "album";
	if (message.forwardedFrom !== undefined) return "forward";
	return message.files.length === 0 && message.text.length >= NEAR_LIMIT_CHARS ? "paste" : undefined;
}

function belongs(batch: Batch, message: Incoming): boolean {
	if (batch.kind === "album") return message.mediaGroupId !== undefined && message.mediaGroupId === batch.messages[0]?.mediaGroupId;
	if (batch.kind === "forward") return message.forwardedFrom !== undefined;
	return (
		message.files.length === 0 && message.voice === undefined && message.forwardedFrom === undefined && message.repliedTo === undefined
	);
}
