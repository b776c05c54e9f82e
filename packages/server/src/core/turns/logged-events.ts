import { eventFrameSchema, type LogEvent } from "@rightseat/protocol/events/event";
import { type ConversationId, type Seq, seq as toSeq } from "../kernel/ids.ts";
import type { EventStore } from "../ports/store.ts";

const PAGE = 1_000;

/** Stored events from `firstSeq` on, in order, read in pages so that a long turn does not fill the memory twice. One that cannot be understood is left out. */
export function* loggedEvents(events: Pick<EventStore, "after">, conversationId: ConversationId, firstSeq: Seq): Generator<LogEvent> {
	let from = toSeq(firstSeq - 1);
	for (;;) {
		const rows = events.after(conversationId, from, PAGE);
		for (const row of rows) {
			const parsed = eventFrameSchema.safeParse(JSON.parse(row.frame));
			if (parsed.success) yield parsed.data;
			from = row.seq;
		}
		if (rows.length < PAGE) return;
	}
}
