import type { UserMessage } from "@rightseat/protocol/model/message";
import type { ActiveConversations, TurnEnd } from "../active/active-conversations.ts";
import type { Closing } from "../active/closing.ts";
import { isStorageRefusal, RETRY_MS } from "../active/storage-retry.ts";
import type { Announcements } from "../commands/announcements.ts";
import type { Clock } from "../kernel/clock.ts";
import { type ConversationId, messageId as toMessageId } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { EventLog } from "../log/event-log.ts";
import type { MessageStore } from "../ports/store.ts";
import type { BegunTurn } from "./run-turn.ts";
import type { Turns } from "./turns.ts";

/** Decides when a prompt becomes a turn: one turn per conversation, a bounded number in all, the others in order of arrival. */
export interface Dispatcher {
	/** One more turn may run on this server. */
	hasSlot(): boolean;
	/** Starts a turn that a commit has begun. When it has ended well, the next queued prompt is taken up. */
	start(begun: BegunTurn): void;
	/** The queue of this conversation may continue as soon as there is a slot: a person acted. */
	resume(id: ConversationId): void;
	/** The queue of this conversation goes on by itself. */
	isReady(id: ConversationId): boolean;
}

/** Nothing is ready at the start: a queue that survived a restart waits for a person. */
export function createDispatcher(deps: {
	turns: Pick<Turns, "settleLeftOpen" | "begin" | "start">;
	messages: Pick<MessageStore, "queued">;
	log: Pick<EventLog, "commit">;
	active: Pick<ActiveConversations, "find" | "withTurn">;
	closing: Pick<Closing, "has">;
	announce: Pick<Announcements, "updated" | "queue">;
	clock: Clock;
	logger: Logger;
	maxTurns: number;
}): Dispatcher {
	const { turns, messages, active, closing } = deps;
	/** Conversations whose queue may continue, first come, first served. After a failed turn or a restart a queue rests until a person acts. */
	const ready = new Set<ConversationId>();
	let isRetrying = false;

	function hasSlot(): boolean {
		return active.withTurn().length < deps.maxTurns;
	}
	function start(begun: BegunTurn): void {
		void turns.start(begun).then((end) => ended(begun.conversationId, end));
	}
	function ended(id: ConversationId, end: TurnEnd): void {
		if (end.outcome === "completed" || end.outcome === "aborted") ready.add(id);
		takeUp();
	}

	/** Fills the free slots. */
	function takeUp(): void {
		for (const id of [...ready]) {
			if (!hasSlot()) return;
			if (active.find(id)?.turn !== undefined) continue;
			ready.delete(id);
			if (closing.has(id)) continue;
			try {
				const next = messages.queued(id)[0];
				if (next?.role === "user") begin(id, next);
			} catch (error) {
				// The prompt is still queued: taken up when the disk no longer refuses, else when a person acts.
				if (isStorageRefusal(error)) takeUpLater(id);
				deps.logger.error({ err: error, conversationId: id }, "A queued prompt could not be taken up");
			}
		}
	}
	function takeUpLater(id: ConversationId): void {
		ready.add(id);
		if (isRetrying) return;
		isRetrying = true;
		deps.clock.after(RETRY_MS, () => {
			isRetrying = false;
			takeUp();
		});
	}
	function begin(id: ConversationId, next: UserMessage): void {
		turns.settleLeftOpen(id);
		const begun = deps.log.commit(() => {
			const begunTurn = turns.begin(id, next);
			deps.announce.updated(id, toMessageId(next.id));
			deps.announce.queue(id);
			return begunTurn;
		});
		start(begun);
	}

	return {
		hasSlot,
		start,
		resume(id) {
			ready.add(id);
			takeUp();
		},
		isReady: (id) => ready.has(id),
	};
}
