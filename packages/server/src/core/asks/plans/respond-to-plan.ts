import type { ActiveConversations, PendingPlan } from "../../active/active-conversations.ts";
import type { Closing } from "../../active/closing.ts";
import { AppError } from "../../kernel/errors.ts";
import type { ConversationId } from "../../kernel/ids.ts";
import type { PlanResponse } from "../responses.ts";
import { settledAlready } from "../settled-already.ts";
import { isTooLong } from "./ask-plan.ts";

/** The first decision wins. What is sent back carries no action and no other plan. */
export function respondToPlan(
	deps: { active: Pick<ActiveConversations, "asking">; closing: Pick<Closing, "check"> },
	response: PlanResponse,
): void {
	const { id, asked } = find(deps.active, response);
	deps.closing.check(id);
	const { approved, action, feedback, plan, by } = response;
	const said = { approved, by, ...(feedback === undefined || feedback.trim() === "" ? {} : { feedback }) };
	const taken = approved ? takenAs(asked, { action, plan }) : {};
	asked.settle({ outcome: "answered", ...said, ...taken });
}

function takenAs(asked: PendingPlan, { action, plan }: Pick<PlanResponse, "action" | "plan">): { action?: string; plan?: string } {
	if (action !== undefined && !asked.actions.includes(action)) throw notOffered(asked.actions);
	const isChanged = plan !== undefined && plan !== asked.plan;
	if (isChanged && isTooLong({ summary: asked.summary, plan })) throw tooLong();
	return { ...(action === undefined ? {} : { action }), ...(isChanged ? { plan } : {}) };
}

function find(active: Pick<ActiveConversations, "asking">, wanted: PlanResponse): { id: ConversationId; asked: PendingPlan } {
	for (const { id, plans } of active.asking()) {
		const asked = plans.get(wanted.requestId);
		if (asked !== undefined && (wanted.conversationId === undefined || wanted.conversationId === id)) return { id, asked };
	}
	throw settledAlready();
}

const notOffered = (actions: readonly string[]) =>
	new AppError("bad-request", `This plan can be taken with: ${actions.join(", ")}.`, {
		params: { reason: "no-such-action", actions: actions.join(", ") },
	});
const tooLong = () =>
	new AppError("bad-request", "This plan is too long. Make it shorter and take it again.", { params: { reason: "plan-too-long" } });
