import type { DayBudget } from "@rightseat/protocol/http/budget";
import type { Budget, ReachedLimit } from "@rightseat/protocol/model/budget";
import type { Spent } from "../ports/usage.ts";

/** From this share of a limit on people are warned. */
const WARNING_SHARE = 0.8;

/** The day of the server's clock and time zone, as `2026-11-17`. */
export function dayOf(ms: number): string {
	const date = new Date(ms);
	const two = (value: number) => String(value).padStart(2, "0");
	return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** What a conversation may use by itself, and all of them together today. */
export interface Limits {
	conversation: Budget | null;
	day: DayBudget;
}

/** Is there any limit at all? */
export const hasLimits = ({ conversation, day }: Limits): boolean =>
	[conversation?.tokens, conversation?.cost, day.tokensPerDay, day.costPerDay].some((limit) => limit !== undefined);

/** Every limit with what is used of it, the conversation's own first. Sums are read only where there is a limit. */
export function usedOf({ conversation, day }: Limits, spent: { conversation(): Spent; day(): Spent }): ReachedLimit[] {
	const found: ReachedLimit[] = [];
	function add(scope: ReachedLimit["scope"], limits: { tokens: number | undefined; cost: number | undefined }, sums: () => Spent): void {
		if (limits.tokens === undefined && limits.cost === undefined) return;
		const { tokens, cost } = sums();
		if (limits.tokens !== undefined) found.push({ scope, unit: "tokens", used: tokens, limit: limits.tokens });
		if (limits.cost !== undefined) found.push({ scope, unit: "cost", used: cost, limit: limits.cost });
	}
	add("conversation", { tokens: conversation?.tokens, cost: conversation?.cost }, spent.conversation);
	add("day", { tokens: day.tokensPerDay, cost: day.costPerDay }, spent.day);
	return found;
}

/** The first limit of which nothing is left. */
export const reachedOf = (limits: readonly ReachedLimit[]): ReachedLimit | undefined => limits.find(({ used, limit }) => used >= limit);

/** Those limits that `more` has brought from below the warning to it or past it. */
export function warnedOf(limits: readonly ReachedLimit[], more: { tokens: number; cost: number }): ReachedLimit[] {
	return limits.filter(({ unit, used, limit }) => {
		const from = WARNING_SHARE * limit;
		return used >= from && used - more[unit] < from;
	});
}

/** These limits with one of them set anew. */
export function withLimit({ conversation, day }: Limits, { scope, unit }: Pick<ReachedLimit, "scope" | "unit">, limit: number): Limits {
	if (scope === "conversation") return { conversation: { ...conversation, [unit]: limit }, day };
	return { conversation, day: { ...day, [unit === "tokens" ? "tokensPerDay" : "costPerDay"]: limit } };
}
