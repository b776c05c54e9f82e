import type { UsageRow } from "@rightseat/protocol/http/usage";
import type { Clock } from "../kernel/clock.ts";
import { conversationId as toConversationId } from "../kernel/ids.ts";
import type { Store } from "../ports/store.ts";
import type { UsageRange } from "../ports/usage.ts";
import { createUsageCounter, type UsageCounter } from "./count-usage.ts";
import { createDayBudget } from "./day-budget.ts";
import { createStanding, type Standing } from "./standing.ts";

/** What was used and what may be, before anything that waits for it is there. */
export interface Spending {
	counter: UsageCounter;
	standing: Standing;
	list(range: UsageRange): UsageRow[];
}

/** Everything is read from the store. */
export function createUsage(deps: { store: Pick<Store, "usage" | "conversations" | "settings">; clock: Clock }): Spending {
	const { store, clock } = deps;
	const dayBudget = createDayBudget(store.settings);
	return {
		counter: createUsageCounter({ store, dayBudget, clock }),
		standing: createStanding({ store, dayBudget, clock }),
		list: (range) =>
			store.usage.list(range).map(({ cost, ...row }) => {
				const title = range.by === "conversation" ? store.conversations.find(toConversationId(row.key))?.title : undefined;
				return { ...row, ...(cost === undefined ? {} : { cost }), ...(title === undefined ? {} : { title }) };
			}),
	};
}
