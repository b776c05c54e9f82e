import type { LogEvent } from "@rightseat/protocol/events/event";
import { type ConversationId, type Epoch, seq as toSeq } from "../kernel/ids.ts";
import type { Store } from "../ports/store.ts";
import type { BufferedEvent } from "./event-buffer.ts";
import type { CommittedEvent } from "./stream-hub.ts";

/** An event with its place in the log and the text that everyone gets. */
export interface LoggedEvent extends CommittedEvent {
	event: LogEvent;
}

/** Numbers the events from the head of their conversation on and stores them. Inside a transaction. */
export function writeEvents(store: Pick<Store, "conversations" | "events">, events: readonly BufferedEvent[]): LoggedEvent[] {
	const heads = new Map<ConversationId, { epoch: Epoch; head: number }>();
	const written: LoggedEvent[] = [];
	for (const { conversationId, event } of events) {
		let position = heads.get(conversationId);
		if (position === undefined) {
			const row = store.conversations.find(conversationId);
			// Deleted while its last events were waiting: nobody is left to tell.
			if (row === undefined) continue;
			position = { epoch: row.epoch, head: row.headSeq };
			heads.set(conversationId, position);
		}
		position.head += 1;
		const seq = toSeq(position.head);
		const frame = JSON.stringify({ type: event.type, data: { conversationId, epoch: position.epoch, seq, ...event.data } });
		store.events.append(conversationId, seq, frame);
		written.push({ conversationId, epoch: position.epoch, seq, frame, event });
	}
	for (const [id, position] of heads) store.conversations.update(id, { headSeq: toSeq(position.head) });
	return written;
}
