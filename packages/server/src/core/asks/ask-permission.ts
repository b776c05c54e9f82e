import type { PermissionRequest } from "@rightseat/protocol/model/ask";
import { cutText } from "@rightseat/protocol/text";
import type { PendingPermission } from "../active/active-conversations.ts";
import { isoTime } from "../kernel/clock.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { PermitDecision, PermitRequest } from "../ports/agent-runtime.ts";
import type { AskDeps } from "./ask-question.ts";
import type { OfferedRule } from "./remembered/remembered-permissions.ts";
import { shownRule } from "./remembered/rule-text.ts";
import { waitForAnswer } from "./wait-for-answer.ts";

/** What is to be approved is shown whole or refused: a person cannot agree to a part that is not on the screen. */
export const MAX_APPROVAL_CHARS = 65_536;
/** The line above it may be cut, with a mark. */
export const MAX_SUMMARY_CHARS = 300;

/** Puts a permission request to every channel; resolves with the first decision, or with a rejection when nobody decides. */
export async function askPermission(
	deps: AskDeps,
	asked: { conversationId: ConversationId; request: PermitRequest; signal: AbortSignal; offer?: readonly OfferedRule[] | undefined },
): Promise<PermitDecision> {
	const { conversationId, signal, offer = [] } = asked;
	const { asker, command: _, ...known } = asked.request;
	const request = deps.redactor.value(asker === undefined ? known : { ...known, ...(await asker()) });
	const whole = request.detail ?? request.summary;
	if (whole.length > MAX_APPROVAL_CHARS) return refuseUnseen(deps, conversationId, whole.length);
	const { permissions } = deps.active.get(conversationId);
	const requestId = deps.ids.next();
	const summary = shortLine(request.summary, MAX_SUMMARY_CHARS);
	const shown: PermissionRequest = {
		...request,
		requestId,
		summary,
		detail: request.detail === undefined && summary === request.summary ? undefined : whole,
		expiresAt: isoTime(deps.clock.now() + deps.askTimeoutMs),
		...(offer.length === 0 ? {} : { remember: offer.map(shownRule) }),
	};
	const end = await waitForAnswer<Parameters<PendingPermission["settle"]>[0]>(deps, {
		conversationId,
		signal,
		limit: { what: "The permission request", timedOut: { outcome: "expired" } },
		aborted: { outcome: "aborted" },
		open(settle) {
			permissions.set(requestId, { ...shown, settle, offer });
			deps.log.append(conversationId, { type: "copilot:permission_request", data: shown });
		},
		closed({ outcome, decision, by, remembered }) {
			permissions.delete(requestId);
			const data = { requestId, outcome, decision, by, ...(remembered === true ? { remembered } : {}) };
			deps.log.append(conversationId, { type: "copilot:permission_resolved", data });
		},
	});
	if (end.outcome === "answered" && end.decision !== undefined && end.decision !== "reject") return { kind: end.decision };
	return { kind: "reject", feedback: rejection(end, Math.round(deps.askTimeoutMs / 1000)) };
}

/** Too long to be read and approved: nothing runs, and both the person and the model hear why. */
function refuseUnseen(deps: Pick<AskDeps, "log">, conversationId: ConversationId, chars: number): PermitDecision {
	const size = `${chars} characters, and at most ${MAX_APPROVAL_CHARS} can be shown whole for approval`;
	const message = `A request of the agent was refused: it has ${size}.`;
	deps.log.append(conversationId, {
		type: "copilot:notice",
		data: { code: "approval-too-long", message, params: { chars, max: MAX_APPROVAL_CHARS } },
	});
	const feedback = `Refused without asking: this has ${size}. Do it in smaller steps, each short enough to be read.`;
	return { kind: "reject", feedback };
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
