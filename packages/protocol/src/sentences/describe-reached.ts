import type { ReachedLimit } from "../model/budget.ts";

/** In English, for readers that have no words of their own. */
export function describeReached({ used, limit, scope, unit }: ReachedLimit): string {
	const amount = unit === "tokens" ? `${used} of ${limit} tokens` : `${used} of ${limit} (cost)`;
	return `${amount} are used ${scope === "day" ? "today, in all conversations" : "in this conversation"}`;
}

/** Which of the four kinds of limit it is, as sentences are chosen by it. */
export const limitKind = ({ scope, unit }: Pick<ReachedLimit, "scope" | "unit">) => LIMIT_KINDS[scope][unit];
const LIMIT_KINDS = {
	conversation: { tokens: "conversation-tokens", cost: "conversation-cost" },
	day: { tokens: "day-tokens", cost: "day-cost" },
} as const;
