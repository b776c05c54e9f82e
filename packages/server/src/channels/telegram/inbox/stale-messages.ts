import { retryUntilStored } from "../../../core/active/storage-retry.ts";
import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import { type ChatThread, threadKey } from "../chats/chat-thread.ts";
import type { Speaker } from "../chats/speaker.ts";
import type { Buttons } from "../commands/buttons.ts";
import { oneLine } from "../render/status-text.ts";
import type { Inbox } from "./inbox.ts";
import type { Incoming } from "./incoming.ts";

/** A message older than this is not run without asking: its moment may have passed. */
const STALE_AFTER_MS = 10 * 60_000;
const COLLECT_MS = 1_000;
/** Messages that one question is about; what comes beyond it is asked about next. */
export const MAX_HELD = 100;

/** Messages that were sent while we were away: held, and asked about once per chat. */
export interface StaleMessages {
	/** The longest that the updates of the newest poll can have waited for us. */
	setWaited(waitedMs: number): void;
	isStale(message: Incoming): boolean;
	hold(message: Incoming): void;
	close(): void;
}

export function createStaleMessages(deps: {
	inbox: Pick<Inbox, "hold">;
	buttons: Pick<Buttons, "make">;
	speaker: Speaker;
	transaction: (work: () => void) => void;
	clock: Clock;
	logger: Logger;
}): StaleMessages {
	const { clock, speaker, buttons } = deps;
	const held = new Map<string, { thread: ChatThread; messages: Incoming[]; cancel: Cancel }>();
	// Until the first poll was answered: since whenever.
	let waitedMs = Number.POSITIVE_INFINITY;

	function ask(key: string): void {
		const batch = held.get(key);
		const first = batch?.messages[0];
		if (batch === undefined || first === undefined) return;
		held.delete(key);
		batch.cancel();
		void retryUntilStored(deps, () => deps.transaction(() => holdAndAsk(batch.thread, batch.messages, first)));
	}

	/** In one step: held without the question, they would be forgotten when the process dies. */
	function holdAndAsk(thread: ChatThread, messages: Incoming[], first: Incoming): void {
		for (const { updateId } of messages) deps.inbox.hold(updateId);
		const updateIds = messages.map((message) => message.updateId);
		const { chatId } = thread;
		const words = speaker.words(thread);
		const age = words.elapsed(clock.now() - first.sentAt);
		speaker.say(thread, words.late(age, oneLine(first.text, 200), updateIds.length - 1), {
			replyTo: first.messageId,
			keyboard: [
				[
					buttons.make(chatId, words.runLate, { kind: "run-late", updateIds }),
					buttons.make(chatId, words.dropLate, { kind: "drop-late", updateIds }),
				],
			],
		});
	}

	return {
		setWaited(ms) {
			waitedMs = ms;
		},
		// Both, because a clock that goes wrong here must not make every message look old.
		isStale: (message) => waitedMs > STALE_AFTER_MS && clock.now() - message.sentAt > STALE_AFTER_MS,
		hold(message) {
			const key = threadKey(message.thread);
			const batch = held.get(key);
			batch?.cancel();
			const messages = [...(batch?.messages ?? []), message];
			held.set(key, { thread: message.thread, messages, cancel: clock.after(COLLECT_MS, () => ask(key)) });
			if (messages.length >= MAX_HELD) ask(key);
		},
		close() {
			for (const batch of held.values()) batch.cancel();
		},
	};
}
