import type { LogEvent } from "@rightseat/protocol/events/event";
import type { PermissionRequest, PlanRequest, Question } from "@rightseat/protocol/model/ask";
import type { BudgetRequest } from "@rightseat/protocol/model/budget";
import type { FormRequest } from "@rightseat/protocol/model/form";
import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import type { Awaitable } from "../../../core/kernel/awaitable.ts";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { ConversationId } from "../../../core/kernel/ids.ts";
import type { Messages } from "../messages/messages.ts";
import type { LiveMessage } from "../outbox/live-message.ts";
import { type AskMessage, budgetMessage, firstMessage, permissionMessage, planMessage, questionMessage } from "./ask-messages.ts";
import { attemptAnswer } from "./attempt-answer.ts";
import type { ChatWriter } from "./chat-writer.ts";
import { createFormAsks } from "./form-asks.ts";
import { createFormWizard, type FormTap, type FormWizard } from "./form-wizard.ts";
import { oneLine } from "./status-text.ts";
import { awaitsAnswer, type OpenAsk, readTypedAnswer, type TypedAnswer, type TypedMessage } from "./typed-answer.ts";

export interface AskView {
	question(question: Question): void;
	permission(request: PermissionRequest): void;
	plan(request: PlanRequest): void;
	budget(request: BudgetRequest): void;
	form(request: FormRequest): void;
	/** A button of a form; the result is what the person is told, undefined when it is over. */
	tapForm(tap: FormTap, from: string): Awaitable<string | undefined>;
	event(frame: LogEvent): void;
	/** Whether the next message, or one that replies to this one, is an answer. */
	awaitsAnswer(repliedTo: number | undefined): boolean;
	/** A typed message while a question waits; `from` is who typed it, for the audit log. */
	answerTyped(message: TypedMessage, from: string): Awaitable<TypedAnswer>;
	/** Everything is told anew: whatever is not among these is settled. */
	keep(requestIds: readonly string[]): void;
	isAsking(): boolean;
	/** The chat shows this conversation no more; `quietly`: nothing about it stays there. */
	leave(how: { quietly: boolean }): void;
}

interface Asked {
	live: LiveMessage;
	head: string;
	expiresAt: string | undefined;
	question: Question | undefined;
	isLimit: boolean;
	form: FormWizard | undefined;
	isPlan: boolean;
}

type Waiting = PlanRequest | Question | PermissionRequest | BudgetRequest | FormRequest;
interface Resolution {
	requestId: string;
	outcome: "answered" | "expired" | "aborted";
	by?: string;
}

/** Questions and permission requests of the agent, and limits that are reached, with buttons; the first answer from anywhere settles them. */
export function createAskView(deps: {
	conversationId: ConversationId;
	conversations: Pick<EveryConversations, "answer" | "decide" | "decidePlan" | "decideBudget" | "fillIn">;
	writer: ChatWriter;
	words: () => Messages;
	redact: (text: string) => string;
	clock: Clock;
	onAsking: (asking: boolean) => void;
}): AskView {
	const { conversationId, conversations, writer, words } = deps;
	const open = new Map<string, Asked>();
	const forms = createFormAsks({ open, conversationId, conversations, words });

	function add(request: Waiting, question: Question | undefined, message: AskMessage, form?: FormWizard): void {
		const [{ requestId }, { head, content, file }] = [request, message];
		const isLimit = "limit" in request;
		const expiresAt = isLimit ? undefined : request.expiresAt;
		if (file !== undefined) writer.send(file, { key: `ask:${requestId}` });
		const live = writer.live({ silent: writer.isSilent(), leftover: words().expiredByRestart });
		open.set(requestId, { live, head, question, expiresAt, isLimit, form, isPlan: "actions" in request });
		live.set(content, true);
		deps.onAsking(true);
	}
	function askOnce<R extends Waiting>(
		request: R,
		draw: (request: R, how: ReturnType<typeof spoken>) => AskMessage,
		question?: Question,
	): void {
		if (!open.has(request.requestId)) add(request, question, draw(request, spoken()));
	}
	const askQuestion = (question: Question) => askOnce(question, questionMessage, question);
	const askPermission = (request: PermissionRequest) => askOnce(request, permissionMessage);
	const askPlan = (request: PlanRequest) => askOnce(request, planMessage);
	const askBudget = (request: BudgetRequest) => askOnce(request, budgetMessage);
	function askForm(request: FormRequest): void {
		if (open.has(request.requestId)) return;
		const form = createFormWizard(request, spoken());
		add(request, undefined, form.message(), form);
	}
	function spoken() {
		return { words: words(), redact: deps.redact, conversationId, button: writer.button };
	}

	/** The disk may refuse what is also told, and the same event comes again then: it is forgotten last. */
	function settle(requestId: string, line: string, alsoTold?: string): void {
		const asked = open.get(requestId);
		if (asked === undefined) return;
		asked.live.finish({ text: firstMessage(`${asked.head}\n\n${line}`), entities: [] });
		deps.onAsking(open.size > 1);
		if (alsoTold !== undefined)
			writer.send({ kind: "text", text: alsoTold, entities: [], silent: writer.isSilent() }, { key: `expired:${requestId}` });
		open.delete(requestId);
	}
	function resolved({ requestId, outcome, by }: Resolution, answer: string | undefined): void {
		const { isLimit = false, head = "" } = open.get(requestId) ?? {};
		if (outcome === "answered") settle(requestId, `✅ ${oneLine(deps.redact(answer ?? ""), 300)}${answeredWhere(words(), by)}`);
		else if (outcome === "aborted") settle(requestId, words().turnStopped);
		else if (isLimit) settle(requestId, words().budgetOver);
		else settle(requestId, words().expired, words().questionTimedOut(oneLine(head, 200)));
	}

	function remind(): void {
		const asked = [...open.values()].findLast(({ isLimit }) => !isLimit);
		if (asked === undefined) return;
		const secondsLeft = asked.expiresAt === undefined ? undefined : Math.round((Date.parse(asked.expiresAt) - deps.clock.now()) / 1000);
		const text = words().reminder(asked.question === undefined && asked.form === undefined ? "permission" : "question", secondsLeft);
		writer.send({ kind: "text", text, entities: [], silent: writer.isSilent(), replyTo: asked.live.messageId() });
	}

	function openAsks(): OpenAsk[] {
		return [...open]
			.filter(([, { form, live }]) => form === undefined && live.mayBeSeen())
			.map(([requestId, { live, question, isLimit, isPlan }]) => ({ requestId, messageId: live.messageId(), question, isLimit, isPlan }));
	}

	function answerTyped(message: TypedMessage, from: string): Awaitable<TypedAnswer> {
		return forms.typed(message, from) ?? answerAsk(message, from);
	}
	function answerAsk(message: TypedMessage, from: string): Awaitable<TypedAnswer> {
		const meaning = readTypedAnswer(openAsks(), message);
		if (meaning.kind === "none" || meaning.kind === "needs-button") return meaning.kind;
		const { requestId } = meaning;
		const who = { conversationId, requestId, by: "telegram", from } as const;
		return attemptAnswer(() => {
			if (meaning.kind === "answer") return conversations.answer({ ...who, answer: meaning.answer, wasFreeform: meaning.wasFreeform });
			if (meaning.kind === "plan") return conversations.decidePlan({ ...who, approved: meaning.approved, feedback: meaning.feedback });
			if (meaning.kind === "raise") return conversations.decideBudget({ ...who, decision: "raise", limit: meaning.limit });
			return conversations.decide({ ...who, decision: meaning.decision, feedback: meaning.feedback });
		});
	}

	return {
		tapForm: forms.tap,
		...{ question: askQuestion, permission: askPermission, plan: askPlan, budget: askBudget, form: askForm },
		event(frame) {
			if (frame.type === "copilot:user_input_request") askQuestion(frame.data);
			else if (frame.type === "copilot:permission_request") askPermission(frame.data);
			else if (frame.type === "copilot:user_input_resolved") resolved(frame.data, frame.data.answer);
			else if (frame.type === "copilot:permission_resolved") resolved(frame.data, decisionText(words(), frame.data));
			else if (frame.type === "copilot:plan_request") askPlan(frame.data);
			else if (frame.type === "copilot:budget_request") askBudget(frame.data);
			else if (frame.type === "copilot:form_request") askForm(frame.data);
			else if (isResolution(frame)) resolved(frame.data, endText(words(), frame));
			else if (frame.type === "copilot:notice" && frame.data.code === "ask-reminder") remind();
		},
		answerTyped,
		keep(requestIds) {
			for (const id of [...open.keys()]) if (!requestIds.includes(id)) settle(id, words().answeredElsewhere);
		},
		awaitsAnswer: (repliedTo) => forms.takesText(repliedTo) || awaitsAnswer(openAsks(), repliedTo),
		isAsking: () => open.size > 0,
		leave({ quietly }) {
			if (quietly) {
				for (const asked of open.values()) asked.live.remove();
				open.clear();
			}
			for (const requestId of [...open.keys()]) settle(requestId, words().movedAway);
		},
	};
}

type Resolved = Extract<LogEvent, { type: "copilot:plan_resolved" | "copilot:budget_resolved" | "copilot:form_resolved" }>;
const ENDS: ReadonlySet<string> = new Set(["copilot:plan_resolved", "copilot:budget_resolved", "copilot:form_resolved"]);
const isResolution = (frame: LogEvent): frame is Resolved => ENDS.has(frame.type);

function endText(words: Messages, frame: Resolved): string {
	if (frame.type === "copilot:plan_resolved") return words.planDecided(frame.data);
	if (frame.type === "copilot:budget_resolved") return words.budgetDecided(frame.data.decision ?? "raise");
	return words.formAction(frame.data.action ?? "cancel");
}

function answeredWhere(words: Messages, by: string | undefined): string {
	if (by === undefined || by === "telegram") return "";
	return ` ${by === "web" ? words.answeredOnWeb : words.answeredElsewhere}`;
}

function decisionText(words: Messages, { decision, remembered }: { decision?: string; remembered?: boolean }): string | undefined {
	if (remembered === true) return words.allowedHere;
	if (decision === "approve-once") return words.allowedOnce;
	if (decision === "approve-for-session") return words.allowedSession;
	return decision === "reject" ? words.wasDenied : decision;
}
