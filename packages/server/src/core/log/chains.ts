import type { Position } from "@rightseat/protocol/fleet/position";
import type { Clock } from "../kernel/clock.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { ChainStore } from "../ports/fleet-store.ts";

/** The chain after an event, from the chain before it and the text of its frame. */
export type ChainLink = (previous: string, frame: string) => string;

/** The chain of a log without events. */
export const CHAIN_START = "0".repeat(16);

/** The chains of this host's logs: what tells the same numbers of another history apart. Only in a fleet; used inside the transaction that writes the events. */
export interface Chains {
	/** Where the log stands. A log that went on while nobody kept its chain begins a new one. */
	at(id: ConversationId, head: { epoch: string; headSeq: number }): Position;
	link: ChainLink;
	keep(id: ConversationId, position: Position): void;
	forget(id: ConversationId): void;
}

export function createChains(deps: { store: ChainStore; link: ChainLink; clock: Pick<Clock, "now"> }): Chains {
	const { store } = deps;
	return {
		at(id, { epoch, headSeq }) {
			const kept = store.find(id);
			if (kept?.epoch === epoch && kept.seq === headSeq) return kept;
			// The later history is the one that counts, also when the clock was set back between the two.
			const generation = kept?.epoch === epoch ? kept.generation : Math.max(deps.clock.now(), (kept?.generation ?? 0) + 1);
			const begun = { generation, epoch, seq: headSeq, chain: CHAIN_START };
			store.set(id, begun);
			return begun;
		},
		link: deps.link,
		keep: store.set,
		forget: store.delete,
	};
}
