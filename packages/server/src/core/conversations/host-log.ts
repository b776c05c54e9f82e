import type { Position } from "@rightseat/protocol/fleet/position";
import type { ConversationId } from "../kernel/ids.ts";
import type { Chains } from "../log/chains.ts";
import type { EventLog } from "../log/event-log.ts";
import type { CommittedEvent, StreamHub } from "../log/stream-hub.ts";
import type { ConversationRow, Store } from "../ports/store.ts";

/** The logs of this host as a fleet reads them: with chains, and without subscribers. */
export interface HostLog {
	/** Where the log stands, everything that waits for its commit included; undefined when there is no such conversation. */
	position(id: ConversationId): Position | undefined;
	/** Every event after this one up to the head, or undefined when they are too many or not kept with their chains. */
	missed(id: ConversationId, lastSeq: number, head: Position): (CommittedEvent & Required<Pick<CommittedEvent, "link">>)[] | undefined;
	/** The chain after this event; undefined when it is not known any more. */
	chainAt(id: ConversationId, seq: number): string | undefined;
	/** The snapshot as it stands, as text. */
	snapshot(id: ConversationId): string;
	/** Resolves when all of that is durable: nothing of it may leave before. */
	durable(): Promise<void>;
	/** Events as they become durable, in order. */
	onEvents(listener: (events: readonly CommittedEvent[]) => void): () => void;
	forget(id: ConversationId): void;
}

/** Without chains there is no fleet, and nobody has a use for it. */
export function createHostLog(deps: {
	chains: Chains;
	store: Pick<Store, "conversations" | "durable">;
	log: Pick<EventLog, "flush">;
	hub: Pick<StreamHub, "missed" | "find">;
	snapshotOf(row: ConversationRow): object;
	onEvents: HostLog["onEvents"];
}): HostLog {
	const { chains, store, hub } = deps;
	return {
		position(id) {
			deps.log.flush();
			const row = store.conversations.find(id);
			return row === undefined ? undefined : chains.at(id, row);
		},
		missed(id, lastSeq, head) {
			const row = store.conversations.find(id);
			const events = row === undefined || row.epoch !== head.epoch ? undefined : hub.missed(id, lastSeq, row.headSeq);
			const linked = events?.flatMap((event) => (event.link === undefined ? [] : [{ ...event, link: event.link }]));
			return linked?.length === events?.length ? linked : undefined;
		},
		chainAt: (id, seq) => hub.find(id, seq)?.link?.chain,
		snapshot(id) {
			const row = store.conversations.find(id);
			return row === undefined ? "" : JSON.stringify(deps.snapshotOf(row));
		},
		durable: store.durable,
		onEvents: deps.onEvents,
		forget: chains.forget,
	};
}
