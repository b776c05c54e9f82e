import { type ChatThread, threadKey } from "./chat-thread.ts";

/** Messages that may wait to be worked off in one chat. */
export const MAX_WAITING_WORK = 200;

/** Work of each chat in order; chats do not wait for each other. */
export interface PerChatQueue {
	/** False when too much waits already. */
	run(thread: ChatThread, work: () => Promise<void>): boolean;
}

export function createPerChatQueue(): PerChatQueue {
	const queues = new Map<string, { tail: Promise<void>; waiting: number }>();
	return {
		run(thread, work) {
			const key = threadKey(thread);
			const queue = queues.get(key) ?? { tail: Promise.resolve(), waiting: 0 };
			if (queue.waiting >= MAX_WAITING_WORK) return false;
			queue.waiting += 1;
			// Work that failed must not take what waits behind it along.
			queue.tail = queue.tail.then(work, work).finally(() => {
				queue.waiting -= 1;
				if (queue.waiting === 0) queues.delete(key);
			});
			queues.set(key, queue);
			return true;
		},
	};
}
