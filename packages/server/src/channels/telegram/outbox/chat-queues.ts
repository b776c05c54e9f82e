import type { Clock } from "../../../core/kernel/clock.ts";
import { isGroup } from "../chats/chat-thread.ts";
import { createSendQueue, type SendQueue } from "./send-queue.ts";

/** The send queue of every chat that is written to; chats do not wait for each other. */
export interface ChatQueues {
	of(chatId: number): SendQueue;
	/** Gives up a send that still waits. */
	dropSend(chatId: number, key: string): void;
	/** Waits until everything is out, at most this long. */
	flush(graceMs: number): Promise<void>;
	close(): void;
}

export function createChatQueues(deps: {
	clock: Clock /** Strangers come without end: a queue of theirs is not kept. */;
	isKept: (chatId: number) => boolean;
}): ChatQueues {
	const { clock } = deps;
	const queues = new Map<number, SendQueue>();
	const idleWaiters = new Set<() => void>();

	function isIdle(): boolean {
		return [...queues.values()].every((queue) => queue.idle());
	}
	function onIdle(chatId: number): void {
		if (!deps.isKept(chatId) && queues.get(chatId)?.isEmpty() === true) queues.delete(chatId);
		if (isIdle()) for (const waiter of [...idleWaiters]) waiter();
	}

	return {
		of(chatId) {
			const queue = queues.get(chatId) ?? createSendQueue({ clock, isGroup: isGroup({ chatId }), onIdle: () => onIdle(chatId) });
			queues.set(chatId, queue);
			return queue;
		},
		dropSend: (chatId, key) => queues.get(chatId)?.dropSend(key),
		flush: (graceMs) =>
			new Promise<void>((resolve) => {
				if (isIdle()) return resolve();
				const end = () => {
					cancel();
					idleWaiters.delete(end);
					resolve();
				};
				const cancel = clock.after(graceMs, end);
				idleWaiters.add(end);
			}),
		close() {
			for (const queue of queues.values()) queue.close();
		},
	};
}
