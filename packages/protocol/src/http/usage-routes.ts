import { dayBudgetSchema } from "./budget.ts";
import { type HttpRoute, ok } from "./route.ts";
import { usageAnswer, usageQuery } from "./usage.ts";

/** Every route about tokens, cost and their limits. */
export const usageRoutes: HttpRoute[] = [
	{
		method: "GET",
		path: "/api/usage",
		about: "Tokens, and cost where it was told, by day, model, agent or conversation.",
		query: usageQuery,
		answers: ok(usageAnswer),
	},
	{ method: "GET", path: "/api/budget", about: "What all conversations together may use in a day.", answers: ok(dayBudgetSchema) },
	{
		method: "PUT",
		path: "/api/budget",
		about: "Set that, as a whole; {} takes every limit away. What waits for a limit that is raised goes on.",
		body: dayBudgetSchema,
		answers: ok(dayBudgetSchema),
	},
];
