import type { DayBudget } from "@rightseat/protocol/http/budget";
import type { ReachedLimit } from "@rightseat/protocol/model/budget";
import type { Clock } from "../kernel/clock.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Store } from "../ports/store.ts";
import type { StoredDayBudget } from "./day-budget.ts";
import { dayOf, hasLimits, type Limits, reachedOf, usedOf, withLimit } from "./limits.ts";

/** How the limits of conversations stand, by what is stored. */
export interface Standing {
	/** Does any limit hold for this conversation? */
	isLimited(id: ConversationId): boolean;
	/** The first limit of which nothing is left. */
	reached(id: ConversationId): ReachedLimit | undefined;
	/** One limit as it stands now; undefined: there is none any more. */
	of(id: ConversationId, limit: Pick<ReachedLimit, "scope" | "unit">): ReachedLimit | undefined;
	/** Sets one limit, of the conversation or of the day. */
	set(id: ConversationId, limit: Pick<ReachedLimit, "scope" | "unit">, value: number): void;
	dayBudget(): DayBudget;
	setDayBudget(budget: DayBudget): void;
}

/** Reads through to the store: nothing but the limit of a day is kept in memory. */
export function createStanding(deps: {
	store: Pick<Store, "usage" | "conversations">;
	dayBudget: StoredDayBudget;
	clock: Clock;
}): Standing {
	const { usage, conversations } = deps.store;
	function limitsOf(id: ConversationId): Limits {
		return { conversation: conversations.find(id)?.budget ?? null, day: deps.dayBudget.get() };
	}
	function all(id: ConversationId): ReachedLimit[] {
		const spent = { conversation: () => usage.ofConversation(id), day: () => usage.ofDay(dayOf(deps.clock.now())) };
		return usedOf(limitsOf(id), spent);
	}
	return {
		isLimited: (id) => hasLimits(limitsOf(id)),
		reached: (id) => reachedOf(all(id)),
		of: (id, { scope, unit }) => all(id).find((limit) => limit.scope === scope && limit.unit === unit),
		set(id, limit, value) {
			const { conversation, day } = withLimit(limitsOf(id), limit, value);
			if (limit.scope === "day") deps.dayBudget.set(day);
			else conversations.update(id, { budget: conversation });
		},
		dayBudget: deps.dayBudget.get,
		setDayBudget: deps.dayBudget.set,
	};
}
