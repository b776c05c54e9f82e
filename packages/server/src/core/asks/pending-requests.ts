import type { ActiveConversations } from "../active/active-conversations.ts";
import type { Closing } from "../active/closing.ts";
import { AppError } from "../kernel/errors.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { AskPlan, PlanDecision } from "../ports/agent-asks.ts";
import type { AskUser, AskUserAnswer, PermitDecision, PermitRequest } from "../ports/agent-runtime.ts";
import { askPermission } from "./ask-permission.ts";
import { type AskDeps, askQuestion } from "./ask-question.ts";
import { askPlan } from "./plans/ask-plan.ts";
import { respondToPlan } from "./plans/respond-to-plan.ts";
import type { OfferedRule } from "./remembered/remembered-permissions.ts";
import type { PendingRequests, PermissionResponse, PlanResponse, QuestionResponse } from "./responses.ts";
import { settledAlready } from "./settled-already.ts";

/** Questions, permission requests and plans of the agent: asked on every channel, settled once. */
export interface Asks {
	/** Resolves with the first answer, or with a sentence for the model when none came. */
	question(conversationId: ConversationId, ask: AskUser, signal: AbortSignal): Promise<AskUserAnswer>;
	/** Resolves with the first decision, or with a rejection when nobody decides. */
	permission(
		conversationId: ConversationId,
		request: PermitRequest,
		signal: AbortSignal,
		offer?: readonly OfferedRule[],
	): Promise<PermitDecision>;
	/** Resolves with the first decision, or with one to stay in plan mode when nobody decides. */
	plan(conversationId: ConversationId, plan: AskPlan, signal: AbortSignal): Promise<PlanDecision>;
	/** The first answer wins; throws `request-not-found` when it is settled already or unknown. */
	answer(response: QuestionResponse): void;
	/** Like `answer`, for permission requests. */
	decide(response: PermissionResponse): void;
	/** Like `answer`, for plans; throws `bad-request` for an action that was not offered or a plan that is too long. */
	decidePlan(response: PlanResponse): void;
	pending(conversationId: ConversationId): PendingRequests;
}

/** Requests live in `active`, so a snapshot and the list of conversations show them too. */
export function createAsks(
	deps: AskDeps & {
		active: Pick<ActiveConversations, "get" | "find" | "asking">;
		closing: Pick<Closing, "check">;
		/** Keeps what a person allowed for good. */
		remember(rules: readonly OfferedRule[]): void;
	},
): Asks {
	const { active, closing, redactor } = deps;
	return {
		question: (conversationId, ask, signal) => askQuestion(deps, { conversationId, ask, signal }),
		permission: (conversationId, request, signal, offer) => askPermission(deps, { conversationId, request, signal, offer }),
		plan: (conversationId, plan, signal) => askPlan(deps, { conversationId, plan, signal }),
		answer(response) {
			const { conversationId, requestId, answer, wasFreeform, by } = redactor.value(response);
			closing.check(conversationId);
			const question = active.find(conversationId)?.questions.get(requestId);
			if (question === undefined) throw settledAlready();
			question.settle({ outcome: "answered", answer, wasFreeform, by });
		},
		decide(response) {
			const { conversationId, requestId, decision, feedback, by, remember = false } = redactor.value(response);
			closing.check(conversationId);
			const permission = active.find(conversationId)?.permissions.get(requestId);
			if (permission === undefined) throw settledAlready();
			const { offer } = permission;
			if (remember && (decision !== "approve-once" || offer.length === 0)) throw nothingToRemember();
			// What cannot be kept is not allowed either: the person hears of it, and the request waits on.
			if (remember) deps.remember(offer);
			permission.settle({ outcome: "answered", decision, feedback, by, remembered: remember });
		},
		decidePlan: (response) => respondToPlan(deps, redactor.value(response)),
		pending(conversationId) {
			const found = active.find(conversationId);
			return {
				questions: [...(found?.questions.values() ?? [])].map(({ settle: _, ...question }) => question),
				permissions: [...(found?.permissions.values() ?? [])].map(({ settle: _, offer: __, ...permission }) => permission),
				plans: [...(found?.plans.values() ?? [])].map(({ settle: _, askedAt: __, ...plan }) => plan),
			};
		},
	};
}

function nothingToRemember(): AppError {
	const params = { type: "copilot:permission_response", where: "remember" };
	return new AppError("bad-frame", "Only what a request offers to remember can be remembered, and only by allowing it.", { params });
}
