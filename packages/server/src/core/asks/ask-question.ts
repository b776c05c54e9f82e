import type { Question } from "@rightseat/protocol/model/ask";
import type { ActiveConversations, PendingQuestion } from "../active/active-conversations.ts";
import { isoTime } from "../kernel/clock.ts";
import type { ConversationId, IdSource } from "../kernel/ids.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { AskUser, AskUserAnswer } from "../ports/agent-runtime.ts";
import { type WaitDeps, waitForAnswer } from "./wait-for-answer.ts";

/** What putting a question or a permission request to people needs. */
export interface AskDeps extends WaitDeps {
	active: Pick<ActiveConversations, "get">;
	ids: IdSource;
	redactor: Redactor;
}

/** Puts a question to every channel; resolves with the first answer, or with a sentence for the model when none came. */
export async function askQuestion(
	deps: AskDeps,
	asked: { conversationId: ConversationId; ask: AskUser; signal: AbortSignal },
): Promise<AskUserAnswer> {
	const { conversationId, ask, signal } = asked;
	const { questions } = deps.active.get(conversationId);
	const requestId = deps.ids.next();
	const question: Question = deps.redactor.value({
		requestId,
		question: ask.question,
		choices: ask.choices === undefined || ask.choices.length === 0 ? undefined : ask.choices,
		allowFreeform: ask.allowFreeform,
		expiresAt: isoTime(deps.clock.now() + deps.askTimeoutMs),
	});
	const end = await waitForAnswer<Parameters<PendingQuestion["settle"]>[0]>(deps, {
		conversationId,
		signal,
		limit: { what: "The question", timedOut: { outcome: "expired" } },
		aborted: { outcome: "aborted" },
		open(settle) {
			questions.set(requestId, { ...question, settle });
			deps.log.append(conversationId, { type: "copilot:user_input_request", data: question });
		},
		closed({ outcome, answer, by }) {
			questions.delete(requestId);
			deps.log.append(conversationId, { type: "copilot:user_input_resolved", data: { requestId, outcome, answer, by } });
		},
	});
	if (end.outcome === "answered" && end.answer !== undefined) {
		return { answer: end.answer, wasFreeform: end.wasFreeform ?? !(ask.choices ?? []).includes(end.answer) };
	}
	const seconds = Math.round(deps.askTimeoutMs / 1000);
	const answer =
		end.outcome === "expired"
			? `Timed out: the person did not answer within ${seconds} seconds. Go on with the safest assumption, or stop and say what you need.`
			: "The person stopped this turn before answering.";
	return { answer, wasFreeform: true, isUnanswered: true };
}
