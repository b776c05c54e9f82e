import { foldTurn } from "@rightseat/protocol/fold/turn";
import type { ActiveConversations } from "../active/active-conversations.ts";
import type { ConversationRows } from "../active/conversation-rows.ts";
import type { Doubts } from "../active/doubts.ts";
import { createLogTrim, type LogTrim } from "../active/log-trim.ts";
import { storeModesOfPlans } from "../asks/plans/ask-plan.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Logger } from "../kernel/logger.ts";
import type { MemoryLedger } from "../kernel/memory-ledger.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { Chains } from "../log/chains.ts";
import { createEventLog } from "../log/event-log.ts";
import { createRedactingLog, type RedactingLog } from "../log/redacting-log.ts";
import { createStreamHub, type StreamHub } from "../log/stream-hub.ts";
import type { LoggedEvent } from "../log/write-events.ts";
import type { Store } from "../ports/store.ts";
import type { UsageCounter } from "../usage/count-usage.ts";

/** The log and its readers: what is appended is redacted, counted, folded into the running turn, trimmed, and shown when it is durable. */
export function createLog(deps: {
	store: Store;
	clock: Clock;
	logger: Logger;
	memory: MemoryLedger;
	redactor: Redactor;
	active: Pick<ActiveConversations, "find">;
	doubts: Pick<Doubts, "add">;
	rows: Pick<ConversationRows, "get">;
	usage: Pick<UsageCounter, "count">;
	/** In a fleet. */
	chains?: Chains | undefined;
	/** After they were shown. */
	onShown(events: readonly LoggedEvent[]): void;
}): { log: RedactingLog; hub: StreamHub; trim: LogTrim } {
	const { store, clock, logger, memory } = deps;
	const hub = createStreamHub({ events: store.events, epochOf: (id) => deps.rows.get(id).epoch, logger, memory });
	const trim = createLogTrim({ store, clock, logger });
	const eventLog = createEventLog({
		...{ store, clock, logger, memory, chains: deps.chains },
		alongside(events) {
			storeModesOfPlans(store.conversations, events);
			return deps.usage.count(events);
		},
		onCommitted(events) {
			for (const { conversationId, event } of events) {
				const turn = deps.active.find(conversationId)?.turn;
				if (turn !== undefined) turn.shown = foldTurn(turn.shown, event);
			}
			hub.remember(events);
			trim.appended(events);
		},
		onDurable(events) {
			hub.publish(events);
			deps.onShown(events);
		},
		onLost(events) {
			for (const { conversationId } of events) deps.doubts.add(conversationId);
		},
	});
	return { log: createRedactingLog(eventLog, deps.redactor), hub, trim };
}
