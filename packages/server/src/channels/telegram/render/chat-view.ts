import type { LogEvent } from "@rightseat/protocol/events/event";
import { decodeServerFrame } from "@rightseat/protocol/frames/decode-server-frame";
import { isLogged, type ServerFrameOf } from "@rightseat/protocol/frames/server";
import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import type { Awaitable } from "../../../core/kernel/awaitable.ts";
import type { Clock } from "../../../core/kernel/clock.ts";
import { type ConversationId, type ExecId, type MessageId, messageId as toMessageId } from "../../../core/kernel/ids.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { MemoryAccount } from "../../../core/kernel/memory-ledger.ts";
import type { CallResult } from "../api/bot-client.ts";
import type { ChatThread } from "../chats/chat-thread.ts";
import { chatMessageOf } from "../chats/client-id.ts";
import type { SentPrompts } from "../chats/sent-prompts.ts";
import type { FormattedText } from "../format/formatted-text.ts";
import type { Messages } from "../messages/messages.ts";
import { type AskView, createAskView } from "./ask-view.ts";
import type { ChatWriter } from "./chat-writer.ts";
import { createCommandView } from "./command-view.ts";
import { createAnswerDelivery, type OpenTurn } from "./deliver-answer.ts";
import { createPatientWork } from "./patient-work.ts";
import { createQueueView } from "./queue-view.ts";
import { createTurnView } from "./turn-view.ts";
import type { TypedAnswer, TypedMessage } from "./typed-answer.ts";
import { untoldAnswers } from "./untold-answers.ts";
import type { StoredMessages } from "./whole-content.ts";

/** One conversation as one chat (or topic) shows it. */
export interface ChatView {
	/** Runs `send` so that what it starts is known to come from these chat messages. */
	from<T>(messageIds: number[], send: () => T): T;
	/** Remembers which chat messages became which prompt. */
	sent(messageIds: number[], promptId: MessageId): void;
	/** Whether the next message, or one that replies to this one, is an answer. */
	awaitsAnswer(repliedTo: number | undefined): boolean;
	/** A typed message while a question waits; `from` is who typed it, for the audit log. */
	answerTyped(message: TypedMessage, from: string): Awaitable<TypedAnswer>;
	/** A button of a form: what the person is told, undefined when it is over. */
	tapForm: AskView["tapForm"];
	isRunning(): boolean;
	isAsking(): boolean;
	startedAt(): number | undefined;
	commands(): ExecId[];
	/** Ends. `left`: the chat shows another conversation; `shut-out`: it may no longer read; `stopped`: the next process takes this up again. */
	close(reason: "left" | "shut-out" | "stopped"): void;
}

/** Follows the conversation like every other reader and draws it into the chat. */
export function createChatView(
	deps: StoredMessages & {
		thread: ChatThread;
		conversationId: ConversationId;
		conversations: Pick<EveryConversations, "subscribe" | "answer" | "decide" | "decidePlan" | "decideBudget" | "fillIn">;
		prompts: Pick<SentPrompts, "add" | "messageOf" | "forgetPieces">;
		writer: ChatWriter;
		openTurn: OpenTurn;
		transaction: (work: () => void) => void;
		typing: () => Promise<CallResult<true>>;
		/** What the bot says in this chat, in its language of this moment. */
		words: () => Messages;
		redact: (text: string) => string;
		render: (markdown: string) => FormattedText;
		/** Counts this chat's copies of output. */
		account: Pick<MemoryAccount, "add">;
		clock: Clock;
		logger: Logger;
	},
): ChatView {
	const { conversationId, thread, prompts } = deps;
	const messageOf = (promptId: string) => prompts.messageOf(thread.chatId, promptId);
	const turn = createTurnView({ ...deps, messageOf, deliver: createAnswerDelivery(deps) });
	const ask = createAskView({ ...deps, onAsking: (asking) => turn.setAsking(asking) });
	const queue = createQueueView({ ...deps, messageOf });
	const commands = createCommandView({ ...deps, chatId: thread.chatId });
	let sending: number[] = [];
	// A reader must not throw: an error here costs this chat one event, never the conversation.
	const onError = (err: unknown) => deps.logger.error({ err, conversationId, chatId: thread.chatId }, "Telegram could not show an event");
	const work = createPatientWork({ clock: deps.clock, onError });

	function sent(messageIds: number[], promptId: MessageId): void {
		for (const messageId of messageIds) prompts.add({ chatId: thread.chatId, messageId, conversationId, promptId });
	}

	/** A prompt of this chat, which another host, or another holder of the bot, has told about. */
	function recognize(promptId: string, clientMessageId: string | undefined): void {
		const messageId = chatMessageOf(thread.chatId, clientMessageId);
		if (messageId !== undefined) sent([messageId], toMessageId(promptId));
	}

	/** Each view apart: one that the disk refuses is asked again, the others are not. */
	function take(event: LogEvent): void {
		work.run(() => recognizeEvent(event));
		if (event.type !== "copilot:stream-status") for (const view of [turn, ask, queue, commands]) work.run(() => view.event(event));
	}

	function recognizeEvent(event: LogEvent): void {
		if (event.type === "copilot:stream-status") {
			if (event.data.status === "streaming" && event.data.turn !== undefined) turn.begin(event.data.turn);
			return;
		}
		// Events of a prompt come before the call that sent it returns.
		if (event.type === "copilot:user_message" && event.data.metadata.bash !== true && sending.length > 0) {
			sent(sending, toMessageId(event.data.messageId));
			sending = [];
		} else if (event.type === "copilot:user_message" && event.data.metadata.bash !== true)
			recognize(event.data.messageId, event.data.metadata.clientMessageId);
		const isTaken = event.type === "copilot:message_updated" && event.data.metadata.delivery !== "queued";
		if (isTaken || event.type === "copilot:message_removed") prompts.forgetPieces(event.data.messageId);
	}

	function takeSnapshot(data: ServerFrameOf<"copilot:snapshot">["data"]): void {
		const untold = untoldAnswers(data.messages, { waited: deps.openTurn.get(), told: deps.openTurn.told() });
		const waited = [data.turn?.userMessageId, ...untold.answers.map(({ metadata }) => metadata.inReplyTo)];
		for (const { id, role, metadata } of data.messages) if (role === "user" && waited.includes(id)) recognize(id, metadata.clientMessageId);
		for (const { messageId, clientMessageId } of data.queue) recognize(messageId, clientMessageId);
		turn.recover(untold, data.messages, data.turn?.userMessageId);
		turn.resync(data.turn, data.todos);
		queue.show(data.queue);
		const { questions, permissions, plans = [], budgets = [], forms = [] } = data;
		ask.keep([...questions, ...permissions, ...plans, ...budgets, ...forms].map(({ requestId }) => requestId));
		for (const question of data.questions) ask.question(question);
		for (const request of data.permissions) ask.permission(request);
		for (const request of plans) ask.plan(request);
		for (const request of budgets) ask.budget(request);
		for (const request of forms) ask.form(request);
		commands.resume(data.commands);
	}

	const subscription = deps.conversations.subscribe(
		conversationId,
		{},
		{
			// This reader never resumes from a position, so every event of this host that it gets is a live one and comes as a value.
			event: (frame, { event = read(frame) }) => event !== undefined && take(event),
			reply: (frame) => frame.type === "copilot:snapshot" && work.run(() => takeSnapshot(frame.data)),
		},
	);

	return {
		from(messageIds, send) {
			sending = messageIds;
			commands.expect(messageIds[0]);
			try {
				return send();
			} finally {
				sending = [];
				commands.expect(undefined);
			}
		},
		sent,
		awaitsAnswer: ask.awaitsAnswer,
		answerTyped: ask.answerTyped,
		tapForm: ask.tapForm,
		isRunning: turn.isRunning,
		isAsking: ask.isAsking,
		startedAt: turn.startedAt,
		commands: commands.running,
		close(reason) {
			subscription.close();
			work.close();
			if (reason !== "stopped") ask.leave({ quietly: reason === "shut-out" });
			if (reason !== "stopped") queue.leave({ quietly: reason === "shut-out" });
			turn.close();
			commands.close();
		},
	};
}

/** An event of another host comes as text. */
function read(frame: string): LogEvent | undefined {
	const decoded = decodeServerFrame(frame);
	return decoded.kind === "frame" && isLogged(decoded.frame) ? decoded.frame : undefined;
}
