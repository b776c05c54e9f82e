import type { LogEvent } from "@rightseat/protocol/events/event";
import type { ServerFrameOf } from "@rightseat/protocol/frames/server";
import type { AppError } from "../kernel/errors.ts";
import { type ConversationId, type Epoch, type Seq, seq as toSeq } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { MemoryLedger } from "../kernel/memory-ledger.ts";
import type { EventStore } from "../ports/store.ts";
import { createEventRings } from "./event-rings.ts";

/** A reader of one or more conversations: a socket, a Telegram chat, a test. Its methods must not throw. */
export interface Subscriber {
	/** One durable event; `frame` is the JSON text of the whole frame, the same string for every subscriber. */
	event(frame: string, committed: CommittedEvent): void;
	/** For this subscriber only: the first `stream-status`, a `snapshot`. */
	reply(frame: ReaderReply): void;
	/** The disk failed before anything could be shown to it, and nothing follows. */
	lost?(error: AppError): void;
}

/** Closing ends it immediately; twice is fine. */
export interface Subscription {
	close(): void;
}

/** An event as it was committed. */
export interface CommittedEvent {
	conversationId: ConversationId;
	epoch: Epoch;
	seq: Seq;
	frame: string;
	/** What the frame says. Only live events have it: what is read back from memory or disk is text. */
	event?: LogEvent;
	/** In a fleet, of an event since this server started: the chain after it. */
	link?: Link;
}

/** How an event hangs on those before it. */
export interface Link {
	generation: number;
	chain: string;
}

/** What a reader gets for itself, before live events. */
export type ReaderReply = ServerFrameOf<"copilot:stream-status"> | ServerFrameOf<"copilot:snapshot">;

/** Further behind than this, a reader gets a snapshot instead of single events. */
export const MAX_REPLAY_EVENTS = 2_000;
export const MAX_REPLAY_CHARS = 1_048_576;
/** So many characters have no more bytes than this. */
const MAX_REPLAY_BYTES = 3 * MAX_REPLAY_CHARS;

/** Fan-out to subscribers and replay of what one of them missed; it never waits for a reader. */
export interface StreamHub {
	/** Keeps committed events for replay. */
	remember(events: CommittedEvent[]): void;
	/** Gives durable events to those attached. */
	publish(events: CommittedEvent[]): void;
	/** Attaches without looking back. */
	attach(conversationId: ConversationId, subscriber: Subscriber): Subscription;
	/** Every event after `lastSeq` up to `head`, or undefined when they are too many or no longer kept. */
	missed(conversationId: ConversationId, lastSeq: number, head: Seq): CommittedEvent[] | undefined;
	/** One event, if it is still in memory. */
	find(conversationId: ConversationId, seq: number): CommittedEvent | undefined;
	subscriberCount(conversationId: ConversationId): number;
	/** The conversation is gone. */
	drop(conversationId: ConversationId): void;
}

/** Fans committed events out to subscribers and replays what one of them missed. */
export function createStreamHub(deps: {
	events: EventStore;
	epochOf: (id: ConversationId) => Epoch;
	logger: Logger;
	memory: MemoryLedger;
}): StreamHub {
	const subscribers = new Map<ConversationId, Set<Subscriber>>();
	const rings = createEventRings(deps.memory);

	function deliver(event: CommittedEvent): void {
		const readers = subscribers.get(event.conversationId);
		if (readers === undefined) return;
		for (const reader of readers) {
			try {
				reader.event(event.frame, event);
			} catch (error) {
				// One broken reader must not cost the others their events.
				deps.logger.error({ err: error, conversationId: event.conversationId }, "A subscriber threw");
			}
		}
	}

	return {
		remember(events) {
			for (const event of events) rings.keep(event);
		},
		publish(events) {
			for (const event of events) deliver(event);
		},
		attach(conversationId, subscriber) {
			const readers = subscribers.get(conversationId) ?? new Set();
			subscribers.set(conversationId, readers.add(subscriber));
			return {
				close() {
					readers.delete(subscriber);
					if (readers.size === 0 && subscribers.get(conversationId) === readers) subscribers.delete(conversationId);
				},
			};
		},
		missed(conversationId, lastSeq, head) {
			const count = head - lastSeq;
			if (count < 0 || count > MAX_REPLAY_EVENTS) return undefined;
			if (count === 0) return [];
			const found = rings.after(conversationId, lastSeq) ?? fromStore(deps.events, conversationId, lastSeq, deps.epochOf(conversationId));
			const complete = found.length === count && found[0]?.seq === lastSeq + 1 && found.at(-1)?.seq === head;
			const chars = found.reduce((sum, event) => sum + event.frame.length, 0);
			return complete && chars <= MAX_REPLAY_CHARS ? found : undefined;
		},
		find: (conversationId, wanted) => rings.after(conversationId, wanted - 1)?.[0],
		subscriberCount: (conversationId) => subscribers.get(conversationId)?.size ?? 0,
		drop(conversationId) {
			subscribers.delete(conversationId);
			rings.drop(conversationId);
		},
	};
}

function fromStore(events: EventStore, conversationId: ConversationId, lastSeq: number, epoch: Epoch): CommittedEvent[] {
	return events
		.after(conversationId, toSeq(lastSeq), MAX_REPLAY_EVENTS, MAX_REPLAY_BYTES)
		.map((row) => ({ conversationId, epoch, seq: row.seq, frame: row.frame }));
}
