import { MAX_PLAN_CHARS } from "@rightseat/protocol/limits";
import type { PlanRequest } from "@rightseat/protocol/model/ask";
import { cutText } from "@rightseat/protocol/text";
import type { PendingPlan } from "../../active/active-conversations.ts";
import { isoTime } from "../../kernel/clock.ts";
import { jsonBytes } from "../../kernel/fit.ts";
import type { ConversationId } from "../../kernel/ids.ts";
import type { LoggedEvent } from "../../log/write-events.ts";
import type { AskPlan, PlanDecision } from "../../ports/agent-asks.ts";
import { OWN_MODE } from "../../ports/agent-runtime.ts";
import type { ConversationStore } from "../../ports/store.ts";
import type { AskDeps } from "../ask-question.ts";
import { waitForAnswer } from "../wait-for-answer.ts";

/** Of a plan and its summary as JSON, so that a snapshot always has room for the one that waits. */
export const MAX_PLAN_BYTES = 100_000;
/** A plan is read, slept on and changed: it waits longer than a question, and not for ever, because it holds one of the turns that may run. */
export const PLAN_WAIT_MS = 24 * 3_600_000;
const MAX_ACTIONS = 8;
const MAX_ACTION_CHARS = 64;

/** Puts a plan to every channel; resolves with the first decision, or with one to stay in plan mode when nobody decides. */
export async function askPlan(
	deps: AskDeps,
	asked: { conversationId: ConversationId; plan: AskPlan; signal: AbortSignal },
): Promise<PlanDecision> {
	const { conversationId, signal } = asked;
	const { summary, plan, actions } = deps.redactor.value(asked.plan);
	const { plans } = deps.active.get(conversationId);
	if (plans.size > 0) return sentBack("Another plan is with the person already. Wait for what becomes of it.");
	if (isTooLong({ summary, plan })) return refuseUnseen(deps, conversationId, summary.length + plan.length);
	const requestId = deps.ids.next();
	const [askedAt, ms] = [deps.clock.now(), Math.max(PLAN_WAIT_MS, deps.askTimeoutMs)];
	const request: PlanRequest = {
		...{ requestId, summary, plan },
		actions: actions.filter((action) => action.length <= MAX_ACTION_CHARS).slice(0, MAX_ACTIONS),
		expiresAt: isoTime(askedAt + ms),
	};
	const end = await waitForAnswer<Parameters<PendingPlan["settle"]>[0]>(deps, {
		conversationId,
		signal,
		limit: { ms, timedOut: { outcome: "expired" } },
		aborted: { outcome: "aborted" },
		open(settle) {
			plans.set(requestId, { ...request, askedAt, settle });
			deps.log.append(conversationId, { type: "copilot:plan_request", data: request });
		},
		closed(settled) {
			plans.delete(requestId);
			deps.log.append(conversationId, { type: "copilot:plan_resolved", data: { requestId, ...settled } });
		},
	});
	if (end.outcome !== "answered") return sentBack(unanswered(end.outcome, Math.round(ms / 3_600_000)));
	const { approved = false, action, feedback, plan: changed } = end;
	// The mode that goes with it is stored only now when the disk refused the decision at first.
	if (approved) deps.changes.updated(conversationId);
	return {
		approved,
		...(action === undefined ? {} : { action }),
		...(feedback === undefined ? {} : { feedback }),
		...(changed === undefined ? {} : { plan: changed }),
	};
}

/** Inside the transaction that stores these events: a plan that was taken sets the mode that goes with it, so that no crash and no full disk leaves the one without the other. */
export function storeModesOfPlans(conversations: Pick<ConversationStore, "update">, events: readonly LoggedEvent[]): void {
	for (const { conversationId, event } of events) {
		if (event.type === "copilot:plan_resolved" && event.data.approved === true)
			conversations.update(conversationId, { mode: modeAfter(event.data.action) });
	}
}

/** How the conversation goes on after its plan was taken this way. */
const modeAfter = (action: string | undefined): string => (action?.startsWith("autopilot") ? "autopilot" : OWN_MODE);

export const isTooLong = (given: { summary: string; plan: string }): boolean =>
	given.summary.length + given.plan.length > MAX_PLAN_CHARS || jsonBytes(given) > MAX_PLAN_BYTES;

const sentBack = (feedback: string): PlanDecision => ({ approved: false, feedback, isUnanswered: true });

function unanswered(outcome: "expired" | "aborted", limitHours: number): string {
	if (outcome === "aborted") return "The person stopped this turn.";
	return `Nobody looked at the plan within ${limitHours} hours. Change nothing and end your answer here; the person will come back to the plan.`;
}

/** Too long to be read and taken: the person and the model hear why. */
function refuseUnseen(deps: Pick<AskDeps, "log">, conversationId: ConversationId, chars: number): PlanDecision {
	const message = `A plan of the agent was sent back: it has ${chars} characters, and at most ${MAX_PLAN_CHARS} can be shown whole.`;
	const params = { chars, max: MAX_PLAN_CHARS };
	deps.log.append(conversationId, { type: "copilot:notice", data: { code: "plan-too-long", message: cutText(message, 500), params } });
	return sentBack(`This plan is too long to be shown to the person. Write it within ${MAX_PLAN_CHARS / 2} characters and ask again.`);
}
