import type { LogEvent } from "@rightseat/protocol/events/event";
import { beginTurn, foldTurn } from "@rightseat/protocol/fold/turn";
import type { RunningTurn } from "@rightseat/protocol/model/turn";
import type { UndoneNotes } from "../changes/undone-notes.ts";
import { MAX_PENDING_RESULTS } from "../commands/pending-bash-context.ts";
import { isoTime } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import { type MessageId, messageId as toMessageId } from "../kernel/ids.ts";
import type { EventStore, MessageStore, OpenTurn, Store } from "../ports/store.ts";
import { loggedEvents } from "./logged-events.ts";
import { storeTurnEnd, type TurnEndDeps } from "./turn-end.ts";

/** What settling a turn from its events touches. */
export interface RecoverTurnDeps extends TurnEndDeps {
	store: Pick<Store, "messages" | "conversations" | "turns" | "events" | "inbox" | "afterCommit">;
	undone: Pick<UndoneNotes, "list" | "remove">;
}

/** What was shown of a turn that is open on disk, from its events. */
export function shownOf(events: Pick<EventStore, "after">, turn: OpenTurn): RunningTurn {
	const { conversationId, messageId, userMessageId, firstSeq } = turn;
	let shown = beginTurn({ messageId, userMessageId, startedAt: isoTime(turn.startedAt) });
	for (const event of loggedEvents(events, conversationId, firstSeq)) shown = foldTurn(shown, event);
	return shown;
}

/** Stores a turn that is open on disk and runs no more, from its events, as interrupted; `kept` is what is kept of it, all unless said otherwise. */
export function recoverTurn(deps: RecoverTurnDeps, turn: OpenTurn, kept = (shown: RunningTurn) => shown): void {
	const { store, log } = deps;
	const { conversationId } = turn;
	// The fold must have seen every event, also what was told of the turn since this process began.
	if (!log.flush()) throw new AppError("storage-read-only", "The event log cannot be written.");
	let shown = shownOf(store.events, turn);
	log.commit(() => {
		for (const { requestId, kind, form, outcome } of shown.asks ?? []) {
			if (outcome !== undefined) continue;
			const resolved: LogEvent = {
				type: form === undefined ? RESOLVED[kind] : "copilot:form_resolved",
				data: { requestId, outcome: "aborted" },
			};
			log.append(conversationId, resolved);
			shown = foldTurn(shown, resolved);
		}
		const message = "The server stopped while this answer was being written. Send “Continue” to go on.";
		const error = { code: "interrupted", message, retryable: true };
		// Which notes the prompt carried is no longer known; repeating them does no harm.
		const undone = deps.undone.list(conversationId).flatMap(({ at, changeId }) => (at <= turn.startedAt ? [changeId] : []));
		const carried = { contextIds: usedContext(store.messages, turn), notes: [], undone };
		storeTurnEnd(deps, conversationId, { shown: kept(shown), end: { outcome: "interrupted", error }, carried });
	});
}

const RESOLVED = {
	question: "copilot:user_input_resolved",
	permission: "copilot:permission_resolved",
	plan: "copilot:plan_resolved",
	budget: "copilot:budget_resolved",
} as const;

/** Results that this turn's prompt had taken: the ones marked as used since the answer before it. */
function usedContext(store: Pick<MessageStore, "page">, turn: OpenTurn): MessageId[] {
	const { messages } = store.page(turn.conversationId, { limit: 2 * MAX_PENDING_RESULTS });
	const found: MessageId[] = [];
	for (const message of messages.toReversed()) {
		if (message.role === "assistant") break;
		if (message.metadata.context === "used") found.push(toMessageId(message.id));
	}
	return found;
}
