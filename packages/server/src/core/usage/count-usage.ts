import type { EventData, LogEvent } from "@rightseat/protocol/events/event";
import type { ReachedLimit } from "@rightseat/protocol/model/budget";
import type { Usage } from "@rightseat/protocol/model/turn";
import { describeReached, limitKind } from "@rightseat/protocol/sentences/describe-reached";
import { cutText } from "@rightseat/protocol/text";
import type { Clock } from "../kernel/clock.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Store } from "../ports/store.ts";
import type { StoredDayBudget } from "./day-budget.ts";
import { dayOf, hasLimits, usedOf, warnedOf } from "./limits.ts";

/** Sums that are kept, of all days together; of the oldest days conversations and models are joined when there are more. */
const MAX_USAGE_ROWS = 50_000;
/** Of a model's name, which is the agent's own word. */
const MAX_MODEL_CHARS = 200;
/** More than any call uses; what an agent says beyond it is no count. */
const MAX_TOKENS = 10_000_000_000;
const MAX_COST = 1_000_000_000;

interface Counted {
	conversationId: ConversationId;
	event: LogEvent;
}

/** Adds up what models use. */
export interface UsageCounter {
	/** Inside the transaction that stores these events: counts what they tell, and gives the warnings that follow from it, to be stored with them. */
	count(events: readonly Counted[]): Counted[];
	/** What no event of a turn tells, because the turn had ended. */
	add(conversationId: ConversationId, usage: Usage): void;
}

/** Whatever was stored is counted, once, because both are one transaction. */
export function createUsageCounter(deps: {
	store: Pick<Store, "usage" | "conversations">;
	dayBudget: Pick<StoredDayBudget, "get">;
	clock: Clock;
}): UsageCounter {
	const { usage: sums, conversations } = deps.store;
	/** The day on which the sums were last brought within their bound. */
	let joinedOn: string | undefined;

	function add(conversationId: ConversationId, usage: Usage): ReachedLimit[] {
		const row = conversations.find(conversationId);
		if (row === undefined) return [];
		const day = dayOf(deps.clock.now());
		if (joinedOn !== day) {
			sums.join(MAX_USAGE_ROWS, day);
			joinedOn = day;
		}
		const [inputTokens, outputTokens] = [within(usage.inputTokens, MAX_TOKENS), within(usage.outputTokens, MAX_TOKENS)].map(Math.round);
		const cost = usage.cost === undefined ? undefined : within(usage.cost, MAX_COST);
		const model = cutText(usage.model || row.model, MAX_MODEL_CHARS);
		const used = { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 };
		sums.add({ day, conversationId, agent: row.agent, model, ...used, cost });
		const limits = { conversation: row.budget, day: deps.dayBudget.get() };
		if (!hasLimits(limits)) return [];
		const spent = { conversation: () => sums.ofConversation(conversationId), day: () => sums.ofDay(day) };
		return warnedOf(usedOf(limits, spent), { tokens: used.inputTokens + used.outputTokens, cost: cost ?? 0 });
	}

	return {
		count: (events) =>
			events.flatMap(({ conversationId, event }) => {
				if (event.type !== "copilot:usage") return [];
				return add(conversationId, event.data).map((limit) => ({
					conversationId,
					event: { type: "copilot:notice" as const, data: warning(limit) },
				}));
			}),
		add: (conversationId, usage) => void add(conversationId, usage),
	};
}

/** Agents count themselves, so anything may stand here. */
const within = (value: number, most: number) => (Number.isFinite(value) ? Math.min(Math.max(0, value), most) : 0);

function warning(reached: ReachedLimit): EventData<"copilot:notice"> {
	const { used, limit } = reached;
	return {
		code: "budget-warning",
		message: `Most of a limit is used up: ${describeReached(reached)}. When it is reached, you are asked before the model is called again.`,
		params: { reason: limitKind(reached), used, limit },
		lasting: true,
	};
}
