import type { PermissionRequest, Question } from "@rightseat/protocol/model/ask";
import type { Origin } from "@rightseat/protocol/model/vocabulary";
import { cutText } from "@rightseat/protocol/text";
import type { PendingPermission, PendingQuestion } from "../active/active-conversations.ts";
import type { CoreContext } from "../active/core-context.ts";
import { isoTime } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { AskUser, AskUserAnswer, PermitDecision, PermitRequest } from "../ports/agent-runtime.ts";
import { waitForAnswer } from "./wait-for-answer.ts";

/** What is to be approved is shown whole or refused: a person cannot agree to a part that is not on the screen. */
export const MAX_APPROVAL_CHARS = 65_536;
/** The line above it may be cut, with a mark. */
export const MAX_SUMMARY_CHARS = 300;

export interface Asks {
	/** Puts a question to every channel; resolves with the first answer, or with a sentence for the model when none came. */
	question(conversationId: ConversationId, ask: AskUser, signal: AbortSignal): Promise<AskUserAnswer>;
	permission(conversationId: ConversationId, request: PermitRequest, signal: AbortSignal): Promise<PermitDecision>;
	/** Throws `request-not-found` when it is settled or unknown. */
	answer(response: { conversationId: ConversationId; requestId: string; answer: string; wasFreeform?: boolean; by: Origin }): void;
	decide(response: {
		conversationId: ConversationId;
		requestId: string;
		decision: "approve-once" | "approve-for-session" | "reject";
		feedback?: string;
		by: Origin;
	}): void;
	pending(conversationId: ConversationId): { questions: Question[]; permissions: PermissionRequest[] };
}

/** Questions and permission requests: asked everywhere, settled once. */
export function createAsks(core: CoreContext): Asks {
	/** Too long to be read and approved: nothing runs, and both the person and the model hear why. */
	function refuseUnseen(conversationId: ConversationId, chars: number): PermitDecision {
		const size = `${chars} characters, and at most ${MAX_APPROVAL_CHARS} can be shown whole for approval`;
		const message = `A request of the agent was refused: it has ${size}.`;
		core.log.append(conversationId, {
			type: "copilot:notice",
			data: { code: "approval-too-long", message, params: { chars, max: MAX_APPROVAL_CHARS } },
		});
		const feedback = `Refused without asking: this has ${size}. Do it in smaller steps, each short enough to be read.`;
		return { kind: "reject", feedback };
	}

	const expiry = () => isoTime(core.clock.now() + core.config.askTimeoutMs);
	const seconds = () => Math.round(core.config.askTimeoutMs / 1000);

	return {
		async question(conversationId, ask, signal) {
			const live = core.live.get(conversationId);
			const requestId = core.ids.next();
			const question: Question = core.redactor.value({
				requestId,
				question: ask.question,
				...(ask.choices === undefined || ask.choices.length === 0 ? {} : { choices: ask.choices }),
				allowFreeform: ask.allowFreeform,
				expiresAt: expiry(),
			});
			const end = await waitForAnswer<Parameters<PendingQuestion["settle"]>[0]>(core, {
				conversationId,
				signal,
				what: "The question",
				timedOut: { outcome: "expired" },
				aborted: { outcome: "aborted" },
				open(settle) {
					live.questions.set(requestId, { ...question, settle });
					core.log.append(conversationId, { type: "copilot:user_input_request", data: question });
				},
				closed({ outcome, answer, by }) {
					live.questions.delete(requestId);
					core.log.append(conversationId, { type: "copilot:user_input_resolved", data: { requestId, outcome, answer, by } });
				},
			});
			if (end.outcome === "answered" && end.answer !== undefined) {
				return { answer: end.answer, wasFreeform: end.wasFreeform ?? !(ask.choices ?? []).includes(end.answer) };
			}
			const answer =
				end.outcome === "expired"
					? `Timed out: the person did not answer within ${seconds()} seconds. Go on with the safest assumption, or stop and say what you need.`
					: "The person stopped this turn before answering.";
			return { answer, wasFreeform: true };
		},
		async permission(conversationId, given, signal) {
			const request = core.redactor.value(given);
			const whole = request.detail ?? request.summary;
			if (whole.length > MAX_APPROVAL_CHARS) return refuseUnseen(conversationId, whole.length);
			const live = core.live.get(conversationId);
			const requestId = core.ids.next();
			const summary = shortLine(request.summary, MAX_SUMMARY_CHARS);
			const asked: PermissionRequest = {
				...request,
				requestId,
				summary,
				...(request.detail === undefined && summary === request.summary ? {} : { detail: whole }),
				expiresAt: expiry(),
			};
			const end = await waitForAnswer<Parameters<PendingPermission["settle"]>[0]>(core, {
				conversationId,
				signal,
				what: "The permission request",
				timedOut: { outcome: "expired" },
				aborted: { outcome: "aborted" },
				open(settle) {
					live.permissions.set(requestId, { ...asked, settle });
					core.log.append(conversationId, { type: "copilot:permission_request", data: asked });
				},
				closed({ outcome, decision, by }) {
					live.permissions.delete(requestId);
					core.log.append(conversationId, { type: "copilot:permission_resolved", data: { requestId, outcome, decision, by } });
				},
			});
			if (end.outcome === "answered" && end.decision !== undefined && end.decision !== "reject") return { kind: end.decision };
			return { kind: "reject", feedback: rejection(end, seconds()) };
		},
		answer(response) {
			const { conversationId, requestId, answer, wasFreeform, by } = core.redactor.value(response);
			core.closing.check(conversationId);
			const question = core.live.find(conversationId)?.questions.get(requestId);
			if (question === undefined) throw settledAlready();
			question.settle({ outcome: "answered", answer, ...(wasFreeform === undefined ? {} : { wasFreeform }), by });
		},
		decide(response) {
			const { conversationId, requestId, decision, feedback, by } = core.redactor.value(response);
			core.closing.check(conversationId);
			const permission = core.live.find(conversationId)?.permissions.get(requestId);
			if (permission === undefined) throw settledAlready();
			permission.settle({ outcome: "answered", decision, ...(feedback === undefined ? {} : { feedback }), by });
		},
		pending(conversationId) {
			const live = core.live.find(conversationId);
			return {
				questions: [...(live?.questions.values() ?? [])].map(({ settle: _, ...question }) => question),
				permissions: [...(live?.permissions.values() ?? [])].map(({ settle: _, ...permission }) => permission),
			};
		},
	};
}

/** The beginning, and how much is missing; never longer than `max`. */
function shortLine(text: string, max: number): string {
	if (text.length <= max) return text;
	const kept = cutText(text, max - 40);
	return `${kept}… (${text.length - kept.length} more characters)`;
}

function rejection(end: { outcome: string; feedback?: string }, limitSeconds: number): string {
	if (end.outcome === "expired")
		return `Nobody answered the permission request within ${limitSeconds} seconds, so it was refused. Go on without it.`;
	if (end.outcome === "aborted") return "The person stopped this turn.";
	return end.feedback === undefined || end.feedback === ""
		? "The person refused this. Do not try it again; ask what to do instead."
		: end.feedback;
}

function settledAlready(): AppError {
	return new AppError("request-not-found", "This was answered already, has expired, or belongs to a turn that ended.");
}
