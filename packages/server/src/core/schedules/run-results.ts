import type { RunOutcome } from "@rightseat/protocol/http/schedules";
import type { Conversations } from "../conversations/conversations.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { RunRow, ScheduleStore } from "../ports/schedule-store.ts";
import type { MessageStore } from "../ports/store.ts";
import { promptIdOf } from "./prompt-id.ts";

/** The answer to a prompt that has just ended is among the newest messages. */
const LOOKED_AT = 20;

/** What became of runs: read from their conversations, kept with the run when it is over. */
export interface RunResults {
	/** The run as it stands now. */
	current(run: RunRow): RunRow;
	/** Something happened in this conversation; true if a run stands differently now. */
	settle(id: ConversationId): boolean;
	/** Looks at everything that was not over when the server stopped. */
	settleAll(): void;
	/** Follows what runs there. */
	watch(id: ConversationId): void;
}

export function createRunResults(deps: {
	store: Pick<ScheduleStore, "openRuns" | "updateRun">;
	messages: Pick<MessageStore, "findByClientId" | "findRemoved" | "page">;
	conversations: Pick<Conversations, "find">;
}): RunResults {
	const { store, messages } = deps;
	/** Conversations with runs that are not over: nothing is looked up for the others. */
	const watched = new Set(store.openRuns().flatMap(({ conversationId }) => conversationId ?? []));

	function outcomeOf(run: RunRow): RunOutcome {
		const { conversationId: id } = run;
		if (id === null) return run.outcome;
		const conversation = deps.conversations.find(id);
		if (conversation === undefined) return "dropped";
		const clientMessageId = promptIdOf(run);
		const sent = messages.findByClientId(id, clientMessageId)?.message;
		if (sent?.role !== "user") return messages.findRemoved(id, clientMessageId) === undefined ? run.outcome : "dropped";
		if (sent.metadata.delivery === "queued") return "queued";
		const answer = messages
			.page(id, { limit: LOOKED_AT })
			.messages.find((message) => message.role === "assistant" && message.metadata.inReplyTo === sent.id);
		if (answer?.role === "assistant") return answer.metadata.outcome;
		// What a person steered into another turn has no answer of its own.
		return sent.metadata.delivery === "steered" && conversation.status !== "streaming" ? "completed" : "running";
	}
	const current = (run: RunRow): RunRow => (isOpen(run) ? { ...run, outcome: outcomeOf(run) } : run);

	function settle(id: ConversationId): boolean {
		if (!watched.has(id)) return false;
		const before = store.openRuns().filter(({ conversationId }) => conversationId === id);
		const after = before.map(current);
		const changed = after.filter(({ outcome }, index) => outcome !== before[index]?.outcome);
		for (const { scheduleId, key, outcome } of changed) store.updateRun(scheduleId, key, { outcome });
		if (!after.some(isOpen)) watched.delete(id);
		return changed.length > 0;
	}

	return {
		current,
		settle,
		settleAll() {
			for (const id of [...watched]) settle(id);
		},
		watch: (id) => void watched.add(id),
	};
}

const isOpen = ({ outcome }: RunRow) => outcome === "starting" || outcome === "queued" || outcome === "running";
