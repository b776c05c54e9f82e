import type { Ledger, Sent } from "./part.ts";

/** What outsiders know, and what holds in the moment in which they learn it. */
export function createLedger(violate: (invariant: string, detail: string) => void): Ledger {
	const sent = new Map<string, Sent>();
	const events = new Map<string, Map<string, string>>();
	const messages = new Map<string, Set<string>>();
	const timesRan = new Map<string, number>();
	return {
		sent,
		timesRan,
		events,
		messages,
		listed(conversationId, shown) {
			const known = messages.get(conversationId) ?? new Set();
			messages.set(conversationId, known);
			for (const { id } of shown) known.add(id);
		},
		deleted: new Map(),
		send(what) {
			const known = sent.get(what.marker);
			if (known !== undefined) return known;
			const added: Sent = { ...what, acked: undefined, refused: false, dropped: false, ran: 0 };
			sent.set(what.marker, added);
			return added;
		},
		acked(marker, id) {
			const item = sent.get(marker);
			if (item === undefined) return;
			if (item.acked !== undefined && item.acked !== id)
				violate("one-message", `${marker} was acknowledged as ${item.acked} and then as ${id}`);
			item.acked = id;
		},
		ran(marker) {
			timesRan.set(marker, (timesRan.get(marker) ?? 0) + 1);
			const item = sent.get(marker);
			if (item === undefined) return;
			item.ran += 1;
			if (item.ran > 1) violate("runs-once", `${marker} ran ${item.ran} times`);
		},
		shown({ conversationId, epoch, seq, frame }) {
			let known = events.get(conversationId);
			if (known === undefined) {
				known = new Map();
				events.set(conversationId, known);
			}
			const key = `${epoch} ${seq}`;
			const before = known.get(key);
			if (before === undefined) known.set(key, frame);
			else if (before !== frame) violate("one-event-per-number", `${conversationId} ${key}: ${before} and then ${frame}`);
		},
	};
}
