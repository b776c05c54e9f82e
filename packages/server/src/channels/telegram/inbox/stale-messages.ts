import type { Cancel } from "../../../core/kernel/clock.ts";
import type { BotContext } from "../bot-context.ts";
import { type ChatThread, threadKey } from "../chats/chat-thread.ts";
import { elapsed, oneLine } from "../render/status-text.ts";
import type { Incoming } from "./incoming.ts";

/** A message older than this is not run without asking: its moment may have passed. */
const STALE_AFTER_MS = 10 * 60_000;
const COLLECT_MS = 1_000;

/** Messages that were sent while we were away: held, and asked about once per chat. */
export interface StaleMessages {
	isStale(message: Incoming): boolean;
	hold(message: Incoming): void;
	close(): void;
}

export function createStaleMessages(context: BotContext): StaleMessages {
	const waiting = new Map<string, { thread: ChatThread; messages: Incoming[]; cancel: Cancel }>();

	function ask(key: string): void {
		const held = waiting.get(key);
		const first = held?.messages[0];
		if (held === undefined || first === undefined) return;
		waiting.delete(key);
		const updateIds = held.messages.map((message) => message.updateId);
		const words = context.words(held.thread);
		const age = elapsed(words, context.clock.now() - first.sentAt);
		context.say(held.thread, words.late(age, oneLine(first.text, 200), updateIds.length - 1), {
			replyTo: first.messageId,
			keyboard: [
				[
					context.buttons.make(held.thread.chatId, words.runLate, { kind: "run-late", updateIds }),
					context.buttons.make(held.thread.chatId, words.dropLate, { kind: "drop-late", updateIds }),
				],
			],
		});
	}

	return {
		// Both, because a clock that goes wrong here must not make every message look old.
		isStale: (message) => context.waitedMs() > STALE_AFTER_MS && context.clock.now() - message.sentAt > STALE_AFTER_MS,
		hold(message) {
			const key = threadKey(message.thread);
			const held = waiting.get(key);
			held?.cancel();
			context.inbox.hold(message.updateId);
			waiting.set(key, {
				thread: message.thread,
				messages: [...(held?.messages ?? []), message],
				cancel: context.clock.after(COLLECT_MS, () => ask(key)),
			});
		},
		close() {
			for (const held of waiting.values()) held.cancel();
		},
	};
}
