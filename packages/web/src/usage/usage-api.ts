import { type DayBudget, dayBudgetSchema } from "@rightseat/protocol/http/budget";
import { type UsageKey, usageAnswer } from "@rightseat/protocol/http/usage";
import { requestJson } from "../api/request.ts";

/** What models used, and what they may in a day. Every call may throw ApiError. */
export const usageApi = {
	rows: async (query: { by: UsageKey; from?: string; conversation?: string }) =>
		(await requestJson(`/api/usage?${new URLSearchParams(query)}`, usageAnswer)).rows,
	day: () => requestJson("/api/budget", dayBudgetSchema),
	setDay: (budget: DayBudget) => requestJson("/api/budget", dayBudgetSchema, { method: "PUT", json: budget }),
} as const;
