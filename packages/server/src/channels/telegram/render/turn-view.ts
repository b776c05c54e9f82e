import type { LogEvent } from "@rightseat/protocol/events/event";
import { answerText, beginTurn, foldTurn, type TurnIdentity } from "@rightseat/protocol/fold/turn";
import type { Message } from "@rightseat/protocol/model/message";
import type { RunningTurn, TurnError } from "@rightseat/protocol/model/turn";
import type { TurnOutcome } from "@rightseat/protocol/model/vocabulary";
import type { InlineKeyboardButton } from "grammy/types";
import type { Cancel } from "../../../core/kernel/clock.ts";
import { threadKey } from "../chats/chat-thread.ts";
import { joinTexts, styled } from "../format/formatted-text.ts";
import type { Messages } from "../messages/messages.ts";
import type { LiveMessage } from "../outbox/live-message.ts";
import type { Delivery } from "../outbox/stored-sends.ts";
import { answerMessages } from "./final-answer.ts";
import { elapsed, oneLine, statusText } from "./status-text.ts";
import { startTyping } from "./typing-loop.ts";
import type { ViewContext } from "./view-context.ts";

/** A turn that ends sooner shows no status message at all. */
export const STATUS_AFTER_MS = 800;
/** Without news the elapsed time is still refreshed. */
const REFRESH_MS = 10_000;
const MAX_QUOTE_CHARS = 300;

export interface TurnView {
	begin(turn: TurnIdentity, running?: RunningTurn): void;
	event(frame: LogEvent): void;
	/** A question waits for the person: no typing, no ticking. */
	setAsking(asking: boolean): void;
	/** Delivers the answer of a turn that ended while nobody watched. */
	recover(messages: Message[], runningUserMessageId: string | undefined): void;
	isRunning(): boolean;
	startedAt(): number | undefined;
	close(): void;
}

interface Running {
	/** What was said and done so far, by the fold that every reader uses. */
	shown: RunningTurn;
	live: LiveMessage;
	keyboard: InlineKeyboardButton[][];
	isShown: boolean;
	/** A question waits for the person: time does not count as work. */
	isAsking: boolean;
	cancels: Cancel[];
	cancelTyping: Cancel;
}

/** One running turn in one chat: typing, then a status message that is edited, then the answer as new messages. */
export function createTurnView(context: ViewContext): TurnView {
	const { thread, clock, outbox, buttons, conversationId } = context;
	let running: Running | undefined;

	function begin(identity: TurnIdentity, resumed?: RunningTurn): void {
		if (running !== undefined) stop(running);
		context.sessions.setOpenTurn(thread, identity.userMessageId);
		const replyTo = context.prompts.messageOf(thread.chatId, identity.userMessageId);
		if (replyTo === undefined) quotePrompt(identity.userMessageId);
		const turn: Running = {
			shown: resumed ?? beginTurn(identity),
			live: outbox.live(thread, { silent: true, ...(replyTo !== undefined && { replyTo }) }),
			// One button for the life of the status message: a new id with every edit would fill the table.
			keyboard: [[buttons.make(thread.chatId, context.words().stop, { kind: "stop", conversationId })]],
			isShown: false,
			isAsking: false,
			cancels: [],
			cancelTyping: startTyping(clock, context.typing),
		};
		running = turn;
		turn.cancels.push(
			clock.after(STATUS_AFTER_MS, () => {
				turn.isShown = true;
				show(turn);
				refreshLater(turn);
			}),
		);
	}

	function refreshLater(turn: Running): void {
		turn.cancels = [
			clock.after(REFRESH_MS, () => {
				show(turn);
				refreshLater(turn);
			}),
		];
	}

	function show(turn: Running): void {
		// A question is on the screen already; a status below it would push it away.
		if (!turn.isShown || (turn.isAsking && turn.live.messageId() === undefined)) return;
		const text = turn.isAsking ? context.words().waitingForYou : context.redact(statusText(context.words(), turn.shown, clock.now()));
		turn.live.set({ text: text.slice(0, 4096).toWellFormed(), entities: [], keyboard: turn.keyboard });
	}

	/** What was asked on the page is shown before its answer. */
	function quotePrompt(userMessageId: string): void {
		const { messages } = context.conversations.messages(conversationId, { limit: 20 });
		const message = messages.find((each) => each.id === userMessageId);
		if (message?.role === "user") quote(message.content, `prompt:${userMessageId}`);
	}
	function quote(content: string, key: string): void {
		const text = joinTexts(["🖥 ", styled(oneLine(context.redact(content), MAX_QUOTE_CHARS), { type: "blockquote" })]);
		outbox.send(thread, { kind: "text", ...text, silent: true }, { key: `${threadKey(thread)}:${key}` });
	}

	function stop(turn: Running): void {
		for (const cancel of turn.cancels) cancel();
		turn.cancelTyping();
	}

	function end(turn: Running, outcome: TurnOutcome, messageId: string | undefined): void {
		stop(turn);
		running = undefined;
		const stored = context.conversations.messages(conversationId, { limit: 10 }).messages.find((message) => message.id === messageId);
		const words = context.words();
		const content = stored?.content ?? answerText(turn.shown);
		const error = turn.shown.error ?? (stored?.role === "assistant" ? stored.metadata.error : undefined);
		const spent = elapsed(words, clock.now() - startOf(turn));
		if (outcome === "aborted" && (turn.isShown || content.trim() === "")) {
			turn.live.finish({ text: words.stoppedAfter(spent), entities: [] });
			if (content.trim() === "") context.sessions.setOpenTurn(thread, undefined);
			else deliver({ turn: turn.shown, content, note: undefined, replyTo: replyTo(turn), onDone: () => undefined });
			return;
		}
		const onDone = (delivery: Delivery) => {
			if (delivery !== "dead") turn.live.remove();
			else turn.live.finish({ text: words.answerNotTaken, entities: [] });
		};
		deliver({ turn: turn.shown, content, note: noteOf(words, outcome, error, spent), replyTo: replyTo(turn), onDone });
	}

	const replyTo = (turn: Running) => context.prompts.messageOf(thread.chatId, turn.shown.userMessageId);

	function deliver(answer: {
		turn: { messageId: string };
		content: string;
		note: string | undefined;
		replyTo: number | undefined;
		onDone: (delivery: Delivery) => void;
	}): void {
		const source = context.redact(answer.content.trim());
		const messages = answerMessages({
			source,
			note: answer.note ?? (source === "" ? context.words().saidNothing : ""),
			caption: context.words().wholeAnswer,
			render: context.render,
			filename: "answer.md",
			silent: context.isLooking(),
			...(answer.replyTo !== undefined && { replyTo: answer.replyTo }),
		});
		context.sql.transaction(() => {
			for (const [index, message] of messages.entries()) {
				outbox.send(thread, message, {
					key: `${threadKey(thread)}:final:${answer.turn.messageId}:${index}`,
					...(index === messages.length - 1 && { onSettled: answer.onDone }),
				});
			}
			context.sessions.setOpenTurn(thread, undefined);
		});
	}

	return {
		begin,
		event(frame) {
			const turn = running;
			if (frame.type === "copilot:message_updated" || frame.type === "copilot:user_message") {
				const { messageId, content, metadata } = frame.data;
				const isOurs = context.prompts.messageOf(thread.chatId, messageId) !== undefined;
				if (metadata.delivery === "steered" && !isOurs) quote(content, `prompt:${messageId}`);
				return;
			}
			if (turn === undefined) return;
			if (frame.type === "copilot:idle") {
				end(turn, frame.data.outcome, frame.data.messageId);
				return;
			}
			const before = turn.shown;
			turn.shown = foldTurn(before, frame);
			if (turn.shown !== before) show(turn);
		},
		setAsking(asking) {
			if (running === undefined || running.isAsking === asking) return;
			running.isAsking = asking;
			running.cancelTyping();
			if (!asking) running.cancelTyping = startTyping(clock, context.typing);
			show(running);
		},
		recover(messages, runningUserMessageId) {
			const waited = context.sessions.openTurn(thread);
			if (waited === undefined || waited === runningUserMessageId) return;
			const answer = messages.find((message) => message.role === "assistant" && message.metadata.inReplyTo === waited);
			if (answer?.role !== "assistant") {
				context.sessions.setOpenTurn(thread, undefined);
				return;
			}
			const words = context.words();
			const note = noteOf(words, answer.metadata.outcome, answer.metadata.error, elapsed(words, answer.metadata.durationMs ?? 0));
			const replyTo = context.prompts.messageOf(thread.chatId, waited);
			deliver({ turn: { messageId: answer.id }, content: answer.content, note, replyTo, onDone: () => undefined });
		},
		isRunning: () => running !== undefined,
		startedAt: () => (running === undefined ? undefined : startOf(running)),
		close() {
			if (running === undefined) return;
			stop(running);
			running.live.remove();
		},
	};
}

function noteOf(words: Messages, outcome: TurnOutcome, error: TurnError | undefined, spent: string): string | undefined {
	if (outcome === "completed") return undefined;
	if (outcome === "aborted") return words.stoppedAfter(spent);
	if (error !== undefined) return `⚠️ ${words.error(error.code, error.message)}`;
	return outcome === "interrupted" ? words.interrupted : words.turnFailed;
}

function startOf(turn: Running): number {
	return Date.parse(turn.shown.startedAt);
}
