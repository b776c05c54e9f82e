import { describeReached, limitKind } from "@rightseat/protocol/sentences/describe-reached";
import type { ActiveConversations } from "../active/active-conversations.ts";
import type { InboxSource } from "../inbox/inbox-source.ts";

/** Limits that are reached, for the inbox. Whoever asks and settles them tells that the conversation has changed, which the inbox hears by itself. */
export function createBudgetSource(active: Pick<ActiveConversations, "withTurn">): InboxSource {
	return {
		list: () =>
			active.withTurn().flatMap(({ id: conversationId, budgets }) =>
				[...budgets.values()].map(({ settle: _, askedAt, ...budget }) => {
					const { requestId, used, limit } = budget;
					const params = { reason: limitKind(budget), used, limit };
					return {
						id: `budget-${requestId}`,
						kind: "budget" as const,
						conversationId,
						why: `A limit is reached: ${describeReached(budget)}.`,
						code: "budget-reached",
						params,
						since: askedAt,
						budget,
					};
				}),
			),
		onChange: () => () => undefined,
	};
}
