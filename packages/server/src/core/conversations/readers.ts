import type { ActiveConversations } from "../active/active-conversations.ts";
import type { ConversationRows } from "../active/conversation-rows.ts";
import type { Doubts } from "../active/doubts.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { EventLog } from "../log/event-log.ts";
import type { StreamHub, Subscriber, Subscription } from "../log/stream-hub.ts";
import type { Store } from "../ports/store.ts";
import { snapshotOf, statusFrame } from "./snapshot.ts";

/** Readers of a conversation: replayed or given a snapshot first, then live. */
export interface Readers {
	/** Status, then every event after the position once and in order, or a snapshot; then what follows live. Synchronous. */
	subscribe(id: ConversationId, position: { epoch?: string; lastSeq?: number }, subscriber: Subscriber): Subscription;
	/** Live events from now on, without a status first. */
	follow(id: ConversationId, subscriber: Subscriber): Subscription;
}

/** A reader is attached only when what it was given is durable. */
export function createReaders(deps: {
	store: Pick<Store, "messages" | "todos" | "afterCommit" | "disk">;
	log: Pick<EventLog, "flush">;
	hub: Pick<StreamHub, "missed" | "attach">;
	redactor: Redactor;
	active: ActiveConversations;
	doubts: Pick<Doubts, "has">;
	rows: Pick<ConversationRows, "get">;
}): Readers {
	const { hub, redactor } = deps;

	/** Attaches when everything committed so far is durable: after the events that `first` covers, before those that follow. */
	function attach(id: ConversationId, subscriber: Subscriber, first: () => void): Subscription {
		let subscription: Subscription | undefined;
		let closed = false;
		const begin = () => {
			if (closed) return;
			first();
			// A reader that falls behind during the replay closes its subscription in the middle of it.
			if (!closed) subscription = hub.attach(id, subscriber);
		};
		// After a failed sync nothing becomes durable any more; what is not in doubt is.
		if (deps.store.disk.hasFailed()) begin();
		else deps.store.afterCommit(begin, (error) => (deps.doubts.has(id) ? subscriber.lost?.(error) : begin()));
		return {
			close() {
				closed = true;
				subscription?.close();
			},
		};
	}

	return {
		subscribe(id, { epoch, lastSeq }, subscriber) {
			// Events that wait for their commit belong before this reader's first live event.
			deps.log.flush();
			const row = deps.rows.get(id);
			// The messages that a fork began with are in none of its events.
			const isBeforeAll = row.forkedFrom !== null && lastSeq === 0;
			// Of a turn that a crash left open it may still show a question, and nobody waits for the answer.
			const isLeft = deps.active.find(id)?.left !== undefined;
			const missed =
				lastSeq !== undefined && epoch === row.epoch && !isBeforeAll && !isLeft ? hub.missed(id, lastSeq, row.headSeq) : undefined;
			const status = redactor.value(statusFrame(deps, row, missed === undefined ? "snapshot" : "delta"));
			const snapshot = missed === undefined ? snapshotOf(deps, row) : undefined;
			return attach(id, subscriber, () => {
				subscriber.reply(status);
				if (snapshot !== undefined) subscriber.reply(snapshot);
				for (const event of missed ?? []) subscriber.event(event.frame, event);
			});
		},
		follow(id, subscriber) {
			deps.log.flush();
			deps.rows.get(id);
			return attach(id, subscriber, () => undefined);
		},
	};
}
