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

/** Numbers the events from the head of their conversation on and stores them. Inside a transaction. */
export function writeEvents(
	store: Pick<Store, "conversations" | "events">,
	events: readonly BufferedEvent[],
	chains?: Chains,
): LoggedEvent[] {
	const heads = new Map<ConversationId, Head>();
	const written: LoggedEvent[] = [];
	for (const { conversationId, event } of events) {
		let position = heads.get(conversationId);
		if (position === undefined) {
			const row = store.conversations.find(conversationId);
			// Deleted while its last events were waiting: nobody is left to tell.
			if (row === undefined) continue;
			position = { epoch: row.epoch, head: row.headSeq, link: chains?.at(conversationId, row) };
			heads.set(conversationId, position);
		}
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
	for (const [id, { epoch, head, link }] of heads) {
		store.conversations.update(id, { headSeq: toSeq(head) });
		if (link !== undefined) chains?.keep(id, { ...link, epoch, seq: head });
	}
	return written;
}
