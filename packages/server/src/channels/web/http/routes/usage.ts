import type { IncomingMessage } from "node:http";
import { remoteIdOf } from "@rightseat/protocol/fleet/ids";
import { dayBudgetSchema } from "@rightseat/protocol/http/budget";
import { usageAnswer, usageQuery } from "@rightseat/protocol/http/usage";
import type { FastifyInstance } from "fastify";
import type { Conversations } from "../../../../core/conversations/conversations.ts";
import { type AskAll, missingHosts, sumUsage } from "../../../../core/fleet/ask-all.ts";
import { conversationId } from "../../../../core/kernel/ids.ts";
import { dayOf } from "../../../../core/usage/limits.ts";

/** Tokens and cost, and what all conversations together may use of them in a day. */
export function registerUsageRoutes(
	app: FastifyInstance,
	deps: {
		conversations: Pick<Conversations, "usage" | "dayBudget" | "setDayBudget">;
		sourceOf(request: { raw: IncomingMessage }): string;
		/** In a fleet, for a person. */
		askAll?: (() => AskAll | undefined) | undefined;
	},
) {
	const { conversations } = deps;
	app.get("/api/usage", async (request) => {
		const { from, to, by, conversation } = usageQuery.parse(request.query);
		const days = { from: toDay(from), to: toDay(to) };
		const rows = conversations.usage({
			...days,
			by,
			conversationId: conversation === undefined ? undefined : conversationId(conversation),
		});
		const askAll = conversation === undefined ? deps.askAll?.() : undefined;
		if (askAll === undefined) return { rows };
		const query = Object.fromEntries(
			Object.entries({ ...days, by }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
		);
		const { found, missing } = await askAll({ method: "GET", path: "/api/usage", query }, usageAnswer);
		const others = found.map(({ host, answer }) =>
			by === "conversation"
				? answer.rows.map((row) => (row.key === "" ? row : { ...row, key: remoteIdOf(host.id, row.key) }))
				: answer.rows,
		);
		return { rows: sumUsage([rows, ...others], by), ...missingHosts(missing) };
	});
	app.get("/api/budget", async () => conversations.dayBudget());
	app.put("/api/budget", async (request) => {
		conversations.setDayBudget(dayBudgetSchema.parse(request.body ?? {}), { origin: "web", from: deps.sourceOf(request) });
		return conversations.dayBudget();
	});
}

/** A day stays what it is; a moment is in a day of the server's clock. */
function toDay(given: string | undefined): string | undefined {
	return given === undefined || given.length === 10 ? given : dayOf(Date.parse(given));
}
