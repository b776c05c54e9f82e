import type { IncomingMessage } from "node:http";
import { dayBudgetSchema } from "@rightseat/protocol/http/budget";
import { usageQuery } from "@rightseat/protocol/http/usage";
import type { FastifyInstance } from "fastify";
import type { Conversations } from "../../../../core/conversations/conversations.ts";
import { conversationId } from "../../../../core/kernel/ids.ts";
import { dayOf } from "../../../../core/usage/limits.ts";

/** Tokens and cost, and what all conversations together may use of them in a day. */
export function registerUsageRoutes(
	app: FastifyInstance,
	deps: {
		conversations: Pick<Conversations, "usage" | "dayBudget" | "setDayBudget">;
		sourceOf(request: { raw: IncomingMessage }): string;
	},
) {
	const { conversations } = deps;
	app.get("/api/usage", async (request) => {
		const { from, to, by, conversation } = usageQuery.parse(request.query);
		return {
			rows: conversations.usage({
				...{ from: toDay(from), to: toDay(to), by },
				conversationId: conversation === undefined ? undefined : conversationId(conversation),
			}),
		};
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
