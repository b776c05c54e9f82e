import type { LogEvent } from "@rightseat/protocol/events/event";
import { type ConversationId, type Epoch, seq as toSeq } from "../kernel/ids.ts";
import type { Store } from "../ports/store.ts";
import type { Chains } from "./chains.ts";
import type { BufferedEvent } from "./event-buffer.ts";
import type { CommittedEvent, Link } from "./stream-hub.ts";

/** An event with its place in the log and the text that everyone gets. */
export interface LoggedEvent extends CommittedEvent {
	event: LogEvent;
}

interface Head {
	epoch: Epoch;
	head: number;
	/** The chain of its log, in a fleet. */
	link: Link | undefined;
}

/** Numbers the events from the head of their conversation on and stores them, with what goes along. Inside a transaction. */
export function writeEvents(
	store: Pick<Store, "conversations" | "events">,
	events: readonly BufferedEvent[],
	chains?: Chains,
): LoggedEvent[] {
	const heads = advance(store, events, chains);
	const written: LoggedEvent[] = [];
	for (const { conversationId, event } of events) {
		const position = heads.get(conversationId);
		// Deleted while its last events were waiting: nobody is left to tell.
		if (position === undefined) continue;
		position.head += 1;
		const seq = toSeq(position.head);
		const frame = JSON.stringify({ type: event.type, data: { conversationId, epoch: position.epoch, seq, ...event.data } });
		store.events.append(conversationId, seq, frame);
		const logged: LoggedEvent = { conversationId, epoch: position.epoch, seq, frame, event };
		if (chains !== undefined && position.link !== undefined) {
			const { generation, chain } = position.link;
			position.link = { generation, chain: chains.link(chain, frame) };
			logged.link = position.link;
		}
		written.push(logged);
	}
	if (chains !== undefined)
		for (const [id, { epoch, head, link }] of heads) if (link !== undefined) chains.keep(id, { ...link, epoch, seq: head });
	for (const { also } of events) also?.();
	return written;
}

/** Where the log of each of them stood; it stands behind these events now. */
function advance(store: Pick<Store, "conversations">, events: readonly BufferedEvent[], chains?: Chains): Map<ConversationId, Head> {
	const counts = new Map<ConversationId, number>();
	for (const { conversationId } of events) counts.set(conversationId, (counts.get(conversationId) ?? 0) + 1);
	const heads = new Map<ConversationId, Head>();
	for (const [id, count] of counts) {
		const before = store.conversations.advance(id, count);
		if (before !== undefined) heads.set(id, { epoch: before.epoch, head: before.headSeq, link: chains?.at(id, before) });
	}
	return heads;
}
