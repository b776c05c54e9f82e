import { retryUntilStored, retryWhileRefused } from "../../../core/active/storage-retry.ts";
import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import type { Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { Access } from "../chats/access.ts";
import type { PerChatQueue } from "../chats/per-chat-queue.ts";
import type { Speaker } from "../chats/speaker.ts";
import type { Inbox } from "./inbox.ts";
import type { Incoming } from "./incoming.ts";

/** Runs what a person's message asks for, if they still may: an error is told to them, and afterwards the update counts as handled. */
export interface ChatWork {
	now(message: Incoming, work: () => Promise<void>): void;
	/** After what this chat asked for before; never waits for a turn. When too much waits, the person is told and nothing is run. */
	inOrder(messages: Incoming[], work: (handling: Handling) => Promise<void>): void;
	/** Of updates that may be an answer. */
	handling(updateIds: number[]): Handling;
	/** Nothing is left to redo after a crash. */
	handled(updateIds: number[]): void;
}

/** How updates come to count as handled. */
export interface Handling {
	/** Runs an answer, a prompt or a command: what this host stores of it and that these updates are handled are one commit. */
	together<T>(work: () => T): T;
	/** Whatever they asked for is done. */
	done(): void;
}

export function createChatWork(deps: {
	conversations: Pick<EveryConversations, "storedWith">;
	queue: PerChatQueue;
	inbox: Pick<Inbox, "done">;
	access: Pick<Access, "mayAct">;
	speaker: Speaker;
	clock: Clock;
	logger: Logger;
}): ChatWork {
	const { inbox, speaker, clock, logger } = deps;

	function handled(updateIds: number[]): void {
		void retryUntilStored({ clock, logger }, () => inbox.done(...updateIds));
	}

	function handling(updateIds: number[]): Handling {
		let isStored = false;
		return {
			together(work) {
				const { result, isWritten } = deps.conversations.storedWith(() => inbox.done(...updateIds), work);
				isStored ||= isWritten;
				return result;
			},
			// Noted by itself it could be there before the answer is, and a crash between the two would lose that.
			done: () => (isStored ? undefined : handled(updateIds)),
		};
	}

	async function run(message: Incoming, work: () => Promise<void>): Promise<void> {
		// They may have been removed while their message waited.
		if (!deps.access.mayAct(message.user.id)) return;
		try {
			await work();
		} catch (error) {
			if (!(error instanceof AppError)) logger.error({ err: error }, "A Telegram message could not be handled");
			// What cannot be noted is not sent: while the disk refuses, the person hears nothing.
			await retryWhileRefused(clock, () => speaker.sayError(message.thread, error, { replyTo: message.messageId }));
		}
	}

	return {
		now: (message, work) => void run(message, work).finally(() => handled([message.updateId])),
		inOrder(messages, work) {
			const [first] = messages;
			if (first === undefined) return;
			const updateIds = messages.map((each) => each.updateId);
			const mine = handling(updateIds);
			const isQueued = deps.queue.run(first.thread, () => run(first, () => work(mine)).finally(mine.done));
			if (isQueued) return;
			// Told to send it again, the person must not have it run by the next process as well.
			speaker.say(first.thread, `⚠️ ${speaker.words(first.thread).tooMuchAtOnce}`);
			handled(updateIds);
		},
		handling,
		handled,
	};
}
