import type { BudgetRequest, ReachedLimit } from "@rightseat/protocol/model/budget";
import type { ActiveConversations, PendingBudget } from "../active/active-conversations.ts";
import { type WaitDeps, waitForAnswer } from "../asks/wait-for-answer.ts";
import type { ConversationId, IdSource } from "../kernel/ids.ts";

/** Puts a reached limit to every channel, for as long as the turn waits. Resolves when it is settled, a turn that is to stop is stopped then; false: the turn is over. */
export async function askBudget(
	deps: WaitDeps & { active: Pick<ActiveConversations, "get">; ids: IdSource },
	conversationId: ConversationId,
	reached: ReachedLimit,
): Promise<boolean> {
	const { budgets, turn } = deps.active.get(conversationId);
	if (turn === undefined) return false;
	const request: BudgetRequest = { requestId: deps.ids.next(), ...reached };
	const { requestId } = request;
	const end = await waitForAnswer<Parameters<PendingBudget["settle"]>[0]>(deps, {
		conversationId,
		signal: turn.signal,
		aborted: { outcome: "aborted" },
		open(settle) {
			budgets.set(requestId, { ...request, askedAt: deps.clock.now(), settle });
			deps.log.append(conversationId, { type: "copilot:budget_request", data: request });
		},
		closed(settled) {
			budgets.delete(requestId);
			if (settled.decision === "once") turn.isPastBudget = true;
			deps.log.append(conversationId, { type: "copilot:budget_resolved", data: { requestId, ...settled } });
		},
	});
	if (end.decision === "stop") turn.stop({ outcome: "aborted" });
	return end.outcome !== "aborted" && end.decision !== "stop";
}
