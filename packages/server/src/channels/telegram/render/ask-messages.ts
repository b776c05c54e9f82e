import type { PermissionRequest, PlanRequest, Question } from "@rightseat/protocol/model/ask";
import type { BudgetRequest } from "@rightseat/protocol/model/budget";
import type { InlineKeyboardButton } from "grammy/types";
import type { ConversationId } from "../../../core/kernel/ids.ts";
import type { MessageContent } from "../api/bot-client.ts";
import { splitText } from "../format/split-text.ts";
import type { Messages } from "../messages/messages.ts";
import type { Outgoing } from "../outbox/outbox-store.ts";
import type { ChatWriter } from "./chat-writer.ts";
import { permissionText } from "./permission-text.ts";
import { planText } from "./plan-text.ts";
import { oneLine } from "./status-text.ts";

const MAX_BUTTON_CHARS = 60;

export interface AskMessage {
	/** What stays of it when it is settled. */
	head: string;
	content: MessageContent;
	/** Goes out before the buttons: nobody is asked about what was not sent to them. */
	file?: Outgoing;
}

/** In which words, and for which chat. */
export interface SpokenAsk {
	words: Messages;
	redact: (text: string) => string;
	conversationId: ConversationId;
	button: ChatWriter["button"];
}

/** A question with a button for each choice; without choices the next message is the answer. */
export function questionMessage(question: Question, { words, redact, conversationId, button }: SpokenAsk): AskMessage {
	const { requestId } = question;
	const head = `❓ ${redact(question.question)}`;
	const keyboard: InlineKeyboardButton[][] = (question.choices ?? []).map((choice) => [
		button(oneLine(choice, MAX_BUTTON_CHARS), { kind: "answer", conversationId, requestId, answer: choice }),
	]);
	if (question.allowFreeform && keyboard.length > 0)
		keyboard.push([button(words.other, { kind: "answer-other", conversationId, requestId })]);
	const hint = keyboard.length === 0 ? `\n\n${words.nextIsAnswer}` : "";
	return { head, content: { text: firstMessage(`${head}${hint}`), entities: [], keyboard } };
}

/** A permission request with the three decisions, and a fourth where something can be allowed for good. */
export function permissionMessage(request: PermissionRequest, { words, redact, conversationId, button }: SpokenAsk): AskMessage {
	const { requestId } = request;
	const { head, message, file, mayRemember } = permissionText(request, words, redact);
	const allowed = { kind: "decide", conversationId, requestId, decision: "approve-once" } as const;
	const keyboard = [
		[button(words.allowOnce, allowed)],
		[button(words.allowSession, { kind: "decide", conversationId, requestId, decision: "approve-for-session" })],
		...(mayRemember ? [[button(words.allowHere, { ...allowed, remember: true })]] : []),
		[button(words.deny, { kind: "decide", conversationId, requestId, decision: "reject" })],
	];
	return { head, content: { ...message, keyboard }, file: file === undefined ? undefined : { ...file, silent: true } };
}

/** A plan with a button for each way to take it; a reply is what to change. */
export function planMessage(request: PlanRequest, { words, redact, conversationId, button }: SpokenAsk): AskMessage {
	const { requestId, actions } = request;
	const of = { kind: "plan", conversationId, requestId } as const;
	const { head, message, file } = planText(request, words, redact);
	const keyboard = [...actions.map((action) => [button(words.planTake(action), { ...of, action })]), [button(words.planSendBack, of)]];
	return { head, content: { ...message, keyboard }, file: file === undefined ? undefined : { ...file, silent: true } };
}

/** A limit that is reached, with what can be done about it; raised, it takes as much again. */
export function budgetMessage(request: BudgetRequest, { words, conversationId, button }: SpokenAsk): AskMessage {
	const { requestId, used, limit } = request;
	const more = used + Math.max(limit, 1);
	const of = { kind: "budget", conversationId, requestId } as const;
	const head = words.budgetReached(request);
	const keyboard = [
		[button(words.budgetOnce, { ...of, decision: "once" })],
		[button(words.budgetRaise(more), { ...of, decision: "raise", limit: more })],
		[button(words.budgetStop, { ...of, decision: "stop" })],
	];
	return { head, content: { text: head, entities: [], keyboard } };
}

/** As much of a text as one message takes. */
export function firstMessage(text: string): string {
	return splitText({ text, entities: [] })[0]?.text ?? "…";
}
