import type { LogEvent } from "@rightseat/protocol/events/event";
import { answerText, beginTurn, foldTurn, type TurnIdentity } from "@rightseat/protocol/fold/turn";
import type { Message } from "@rightseat/protocol/model/message";
import type { TodoList } from "@rightseat/protocol/model/todo";
import type { RunningTurn } from "@rightseat/protocol/model/turn";
import type { TurnOutcome } from "@rightseat/protocol/model/vocabulary";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { ConversationId } from "../../../core/kernel/ids.ts";
import type { CallResult } from "../api/bot-client.ts";
import { joinTexts, styled } from "../format/formatted-text.ts";
import type { Messages } from "../messages/messages.ts";
import type { ChatWriter } from "./chat-writer.ts";
import { noteOf, type OpenTurn, type TurnAnswer } from "./deliver-answer.ts";
import { createAnswerRecovery } from "./recover-answers.ts";
import { oneLine } from "./status-text.ts";
import { startTurnStatus, type TurnStatus } from "./turn-status.ts";
import type { UntoldAnswers } from "./untold-answers.ts";
import { createWholeContent, type StoredMessages } from "./whole-content.ts";

const MAX_QUOTE_CHARS = 300;

export interface TurnView {
	begin(turn: TurnIdentity, running?: RunningTurn): void;
	event(frame: LogEvent): void;
	/** Everything is told anew: this turn runs, or none does. */
	resync(turn: RunningTurn | undefined, todos?: TodoList): void;
	/** A question waits for the person. */
	setAsking(asking: boolean): void;
	/** Delivers the answers of turns that ended while nobody watched; `messages` are the newest. */
	recover: (untold: UntoldAnswers, messages: Message[], runningUserMessageId: string | undefined) => void;
	isRunning(): boolean;
	startedAt(): number | undefined;
	close(): void;
}

interface Running {
	/** What was said and done so far, by the fold that every reader uses. */
	turn: RunningTurn;
	status: TurnStatus;
}

/** One running turn in one chat: its status while it runs, then the answer as new messages. */
export function createTurnView(
	deps: StoredMessages & {
		conversationId: ConversationId;
		writer: ChatWriter;
		deliver: (answer: TurnAnswer) => void;
		openTurn: OpenTurn;
		/** The person's message in this chat that became the prompt. */
		messageOf: (promptId: string) => number | undefined;
		typing: () => Promise<CallResult<true>>;
		words: () => Messages;
		redact: (text: string) => string;
		clock: Clock;
	},
): TurnView {
	const { clock, writer, words, deliver, openTurn, messageOf } = deps;
	let running: Running | undefined;
	let todos: TodoList | undefined;

	function begin(identity: TurnIdentity, resumed?: RunningTurn): void {
		running?.status.stop();
		openTurn.set(identity.userMessageId);
		const replyTo = messageOf(identity.userMessageId);
		if (replyTo === undefined) quotePrompt(identity.userMessageId);
		const turn = resumed ?? beginTurn(identity);
		running = { turn, status: startTurnStatus({ ...deps, turn, replyTo, todos: () => todos }) };
	}

	/** What was asked on the page is shown before its answer. */
	function quotePrompt(userMessageId: string, known = newest(20)): void {
		const message = known.find((each) => each.id === userMessageId);
		if (message?.role === "user") quote(message.content, userMessageId);
	}
	function quote(content: string, promptId: string): void {
		const text = joinTexts(["🖥 ", styled(oneLine(deps.redact(content), MAX_QUOTE_CHARS), { type: "blockquote" })]);
		writer.send({ kind: "text", ...text, silent: true }, { key: `prompt:${promptId}` });
	}

	const newest = (limit: number) => deps.recent(deps.conversationId, limit);
	const whole = createWholeContent((messageId) => deps.wholeText(deps.conversationId, messageId));
	const recover = createAnswerRecovery({ ...deps, whole, quotePrompt });

	/** Until it is stored what the chat gets, the turn counts as running: the disk may refuse, and then its end comes once more. */
	function end({ turn, status }: Running, outcome: TurnOutcome, messageId: string | undefined): void {
		status.stop();
		const stored = newest(10).find((message) => message.id === messageId);
		const { content, isCut } = stored === undefined ? { content: answerText(turn), isCut: false } : whole(stored, answerText(turn));
		const known = stored?.role === "assistant" ? stored.metadata : undefined;
		const ending = { error: turn.error ?? known?.error, notices: turn.notices ?? known?.notices };
		const durationMs = clock.now() - startOf(turn);
		const changes = turn.changes ?? known?.changes;
		const { userMessageId: promptId } = turn;
		const answer = {
			messageId: turn.messageId,
			promptId,
			isStored: messageId !== undefined,
			...{ content, isCut },
			replyTo: messageOf(promptId),
			changes,
		};
		if (outcome === "aborted" && (status.isShown() || content.trim() === "")) {
			status.finish(words().stoppedAfter(words().elapsed(durationMs)));
			if (content.trim() === "" && changes === undefined) openTurn.answered(promptId, messageId);
			else deliver({ ...answer, note: undefined });
		} else {
			const note = noteOf(words(), outcome, ending, durationMs);
			deliver({
				...{ ...answer, note },
				onSettled: (delivery) => (delivery === "dead" ? status.finish(words().answerNotTaken) : status.remove()),
			});
		}
		running = undefined;
	}

	function resync(turn: RunningTurn | undefined, list?: TodoList): void {
		todos = list;
		if (running !== undefined && running.turn.messageId === turn?.messageId) {
			running.turn = turn;
			running.status.show(turn);
			return;
		}
		running?.status.stop();
		running?.status.remove();
		running = undefined;
		if (turn !== undefined) begin(turn, turn);
	}

	return {
		begin,
		resync,
		event(frame) {
			if (frame.type === "copilot:message_updated" || frame.type === "copilot:user_message") {
				const { messageId, content, metadata } = frame.data;
				if (metadata.delivery === "steered" && messageOf(messageId) === undefined) quote(content, messageId);
				return;
			}
			if (frame.type === "copilot:todos") todos = frame.data;
			if (running === undefined) return;
			if (frame.type === "copilot:idle") {
				end(running, frame.data.outcome, frame.data.messageId);
				return;
			}
			const turn = foldTurn(running.turn, frame);
			if (turn === running.turn && frame.type !== "copilot:todos") return;
			running.turn = turn;
			running.status.show(turn);
		},
		setAsking: (asking) => running?.status.setAsking(asking),
		recover,
		isRunning: () => running !== undefined,
		startedAt: () => (running === undefined ? undefined : startOf(running.turn)),
		close() {
			running?.status.stop();
			running?.status.remove();
		},
	};
}

function startOf(turn: RunningTurn): number {
	return Date.parse(turn.startedAt);
}
