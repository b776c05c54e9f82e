import type { LogEvent } from "@rightseat/protocol/events/event";
import type { PermissionRequest, Question } from "@rightseat/protocol/model/ask";
import { AppError } from "../../../core/kernel/errors.ts";
import type { MessageContent } from "../api/bot-client.ts";
import { splitText } from "../format/split-text.ts";
import type { Messages } from "../messages/messages.ts";
import type { LiveMessage } from "../outbox/live-message.ts";
import { permissionText } from "./permission-text.ts";
import { oneLine } from "./status-text.ts";
import type { ViewContext } from "./view-context.ts";

const MAX_BUTTON_CHARS = 60;

export type TypedAnswer = "answered" | "needs-button" | "none";

export interface AskView {
	question(question: Question): void;
	permission(request: PermissionRequest): void;
	event(frame: LogEvent): void;
	/** Whether the next message, or one that replies to this one, is an answer. */
	awaitsAnswer(repliedTo: number | undefined): boolean;
	/** A typed message while a question waits. A reply to a question's message means that question. */
	answerTyped(text: string, repliedTo: number | undefined, options?: { choicesOnly: boolean; from?: string }): TypedAnswer;
	isAsking(): boolean;
	/** The chat shows this conversation no more; `quietly`: nothing about it stays there. */
	leave(how: { quietly: boolean }): void;
}

interface Asked {
	live: LiveMessage;
	head: string;
	expiresAt: string | undefined;
	question?: Question;
}

/** Questions and permission requests of the agent, with buttons; the first answer from anywhere settles them. */
export function createAskView(context: ViewContext, onAsking: (asking: boolean) => void): AskView {
	const { thread, outbox, buttons, conversationId, conversations } = context;
	const open = new Map<string, Asked>();

	const add = (requestId: string, asked: Asked, content: MessageContent) => {
		open.set(requestId, asked);
		asked.live.set(content, true);
		onAsking(true);
	};
	const liveMessage = () => outbox.live(thread, { silent: context.isLooking(), leftover: context.words().expiredByRestart });

	function settle(requestId: string, line: string): void {
		const asked = open.get(requestId);
		if (asked === undefined) return;
		open.delete(requestId);
		asked.live.finish({ text: cut(`${asked.head}\n\n${line}`), entities: [] });
		onAsking(open.size > 0);
	}

	function resolved(
		data: { requestId: string; outcome: "answered" | "expired" | "aborted"; by?: string },
		answer: string | undefined,
	): void {
		const words = context.words();
		const where =
			data.by === undefined || data.by === "telegram" ? "" : ` ${data.by === "web" ? words.answeredOnWeb : words.answeredElsewhere}`;
		const asked = open.get(data.requestId);
		if (data.outcome === "answered") settle(data.requestId, `✅ ${oneLine(context.redact(answer ?? ""), 300)}${where}`);
		else if (data.outcome === "aborted") settle(data.requestId, words.turnStopped);
		else {
			settle(data.requestId, words.expired);
			if (asked === undefined) return;
			const text = words.questionTimedOut(oneLine(asked.head, 200));
			outbox.send(
				thread,
				{ kind: "text", text, entities: [], silent: context.isLooking() },
				{ key: `expired:${thread.chatId}:${data.requestId}` },
			);
		}
	}

	function remind(message: string): void {
		const asked = [...open.values()].at(-1);
		if (asked === undefined) return;
		const replyTo = asked.live.messageId();
		const secondsLeft = asked.expiresAt === undefined ? undefined : Math.round((Date.parse(asked.expiresAt) - context.clock.now()) / 1000);
		outbox.send(thread, {
			kind: "text",
			text: context.words().reminder(message, secondsLeft),
			entities: [],
			silent: context.isLooking(),
			...(replyTo !== undefined && { replyTo }),
		});
	}

	return {
		question(question) {
			if (open.has(question.requestId)) return;
			const { requestId } = question;
			const head = `❓ ${context.redact(question.question)}`;
			const rows = (question.choices ?? []).map((choice) => [
				buttons.make(thread.chatId, oneLine(choice, MAX_BUTTON_CHARS), { kind: "answer", conversationId, requestId, answer: choice }),
			]);
			if (question.allowFreeform && rows.length > 0) {
				rows.push([buttons.make(thread.chatId, context.words().other, { kind: "answer-other", conversationId, requestId })]);
			}
			const hint = rows.length === 0 ? `\n\n${context.words().nextIsAnswer}` : "";
			add(
				requestId,
				{ live: liveMessage(), head, question, expiresAt: question.expiresAt },
				{ text: cut(`${head}${hint}`), entities: [], keyboard: rows },
			);
		},
		permission(request) {
			if (open.has(request.requestId)) return;
			const { requestId } = request;
			const words = context.words();
			const { head, message, file } = permissionText(request, words, context.redact);
			const decide = (text: string, decision: "approve-once" | "approve-for-session" | "reject") =>
				buttons.make(thread.chatId, text, { kind: "decide", conversationId, requestId, decision });
			const rows = [
				[decide(words.allowOnce, "approve-once")],
				[decide(words.allowSession, "approve-for-session")],
				[decide(words.deny, "reject")],
			];
			if (file !== undefined) outbox.send(thread, { ...file, silent: true }, { key: `ask:${thread.chatId}:${requestId}` });
			add(requestId, { live: liveMessage(), head, expiresAt: request.expiresAt }, { ...message, keyboard: rows });
		},
		event(frame) {
			switch (frame.type) {
				case "copilot:user_input_request":
					this.question(frame.data);
					return;
				case "copilot:permission_request":
					this.permission(frame.data);
					return;
				case "copilot:user_input_resolved":
					resolved(frame.data, frame.data.answer);
					return;
				case "copilot:permission_resolved":
					resolved(frame.data, decisionText(context.words(), frame.data.decision));
					return;
				case "copilot:notice":
					if (frame.data.code === "ask-reminder") remind(frame.data.message);
					return;
				default:
					return;
			}
		},
		answerTyped(text, repliedTo, options) {
			const entries = [...open];
			const from = options?.from === undefined ? {} : { from: options.from };
			const replied = repliedTo === undefined ? undefined : entries.find(([, asked]) => asked.live.messageId() === repliedTo);
			if (replied !== undefined && replied[1].question === undefined && options?.choicesOnly !== true) {
				const decision = YES.test(text.trim()) ? { decision: "approve-once" as const } : { decision: "reject" as const, feedback: text };
				return attempt(() => conversations.decide({ conversationId, requestId: replied[0], ...decision, by: "telegram", ...from }));
			}
			const [requestId, asked] = replied ?? entries.filter(([, each]) => each.question !== undefined).at(-1) ?? [];
			if (requestId === undefined || asked?.question === undefined) return "none";
			const choice = asked.question.choices?.find((each) => each.trim().toLowerCase() === text.trim().toLowerCase());
			if (choice === undefined && options?.choicesOnly === true) return "none";
			if (choice === undefined && !asked.question.allowFreeform) return "needs-button";
			const answer = { answer: choice ?? text, wasFreeform: choice === undefined };
			return attempt(() => conversations.answer({ conversationId, requestId, ...answer, by: "telegram", ...from }));
		},
		awaitsAnswer: (repliedTo) =>
			[...open.values()].some((asked) => asked.question !== undefined || (repliedTo !== undefined && asked.live.messageId() === repliedTo)),
		isAsking: () => open.size > 0,
		leave({ quietly }) {
			if (quietly) {
				for (const asked of open.values()) asked.live.remove();
				open.clear();
			}
			for (const requestId of [...open.keys()]) settle(requestId, context.words().movedAway);
		},
	};
}

/** A reply to a permission request that means yes; everything else is the reason for a no. */
const YES = /^(y|yes|ok|okay|allow|approve|go ahead|好|可以|同意)[.!。！]?$/i;

function decisionText(words: Messages, decision: string | undefined): string | undefined {
	if (decision === "approve-once") return words.allowedOnce;
	if (decision === "approve-for-session") return words.allowedSession;
	return decision === "reject" ? words.wasDenied : decision;
}

/** Somebody else may have been faster; then the message is an ordinary one. */
function attempt(run: () => void): TypedAnswer {
	try {
		run();
		return "answered";
	} catch (error) {
		if (error instanceof AppError && error.code === "request-not-found") return "none";
		throw error;
	}
}

const cut = (text: string) => splitText({ text, entities: [] })[0]?.text ?? "…";
