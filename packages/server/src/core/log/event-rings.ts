import type { ConversationId } from "../kernel/ids.ts";
import { createMemoryLedger, type MemoryLedger } from "../kernel/memory-ledger.ts";
import type { CommittedEvent } from "./stream-hub.ts";

/** Newest events kept in memory for one conversation; more would not be replayed. */
export const MAX_RING_EVENTS = 2_000;
export const MAX_RING_CHARS = 1_048_576;
/** All rings together. The least recently active conversation is evicted first. */
const MAX_RINGS_BYTES = 64 * 1_048_576;
/** What an event takes besides its text: the object, its place in the array, the head of the string. */
const EVENT_OVERHEAD_BYTES = 160;
/** And its chain, in a fleet. */
const LINK_BYTES = 80;

/** A replay cache: whatever it has not, the store has. */
export interface EventRings {
	keep(event: CommittedEvent): void;
	/** Everything after `lastSeq`, or undefined when that is not kept. */
	after(conversationId: ConversationId, lastSeq: number): CommittedEvent[] | undefined;
	drop(conversationId: ConversationId): void;
	/** An upper bound of what is held. */
	bytes(): number;
}

interface Ring {
	events: CommittedEvent[];
	chars: number;
	bytes: number;
}

/** The newest events of the conversations that were active last, so that a reader who comes back costs no read from disk. */
export function createEventRings(memory: MemoryLedger = createMemoryLedger(), maxBytes = MAX_RINGS_BYTES): EventRings {
	const rings = new Map<ConversationId, Ring>();
	/** First to shrink: what is evicted here can be read from disk. */
	const account = memory.account("rings", { order: 0, free: evict });

	function remove(conversationId: ConversationId): void {
		account.add(-(rings.get(conversationId)?.bytes ?? 0));
		rings.delete(conversationId);
	}
	/** The least recently active first. */
	function evict(bytes: number): number {
		const before = account.bytes();
		for (const oldest of rings.keys()) {
			if (before - account.bytes() >= bytes) break;
			remove(oldest);
		}
		return before - account.bytes();
	}

	return {
		keep({ conversationId, epoch, seq, frame, link }) {
			const known = rings.get(conversationId);
			// A new epoch makes what came before unusable for replay.
			const ring = known === undefined || known.events.at(-1)?.epoch !== epoch ? { events: [], chars: 0, bytes: 0 } : known;
			// Re-inserting moves the conversation to the young end of the map.
			remove(conversationId);
			// Without the parsed content that the log's event carries: it would cost twice what the frame does.
			push(ring, link === undefined ? { conversationId, epoch, seq, frame } : { conversationId, epoch, seq, frame, link });
			rings.set(conversationId, ring);
			account.add(ring.bytes);
			if (account.bytes() > maxBytes) evict(account.bytes() - maxBytes);
		},
		after(conversationId, lastSeq) {
			const ring = rings.get(conversationId);
			const first = ring?.events[0];
			if (ring === undefined || first === undefined || lastSeq + 1 < first.seq) return undefined;
			return ring.events.slice(lastSeq + 1 - first.seq);
		},
		drop: remove,
		bytes: account.bytes,
	};
}

function push(ring: Ring, event: CommittedEvent): void {
	ring.events.push(event);
	ring.chars += event.frame.length;
	ring.bytes += sizeOf(event);
	// Cut in one go when a quarter over, so that a long stream does not shift the array at every event.
	if (ring.events.length <= MAX_RING_EVENTS * 1.25 && ring.chars <= MAX_RING_CHARS * 1.25) return;
	let cut = 0;
	while (cut < ring.events.length - 1 && (ring.events.length - cut > MAX_RING_EVENTS || ring.chars > MAX_RING_CHARS)) {
		const old = ring.events[cut];
		ring.chars -= old?.frame.length ?? 0;
		ring.bytes -= old === undefined ? 0 : sizeOf(old);
		cut += 1;
	}
	ring.events = ring.events.slice(cut);
}

/** A text with one character beyond Latin-1 takes two bytes for each. */
const sizeOf = (event: CommittedEvent) => 2 * event.frame.length + EVENT_OVERHEAD_BYTES + (event.link === undefined ? 0 : LINK_BYTES);
