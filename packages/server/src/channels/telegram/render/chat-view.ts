import type { EventData, LogEvent } from "@rightseat/protocol/events/event";
import type { ServerFrameOf } from "@rightseat/protocol/frames/server";
import { type ExecId, type MessageId, messageId as toMessageId } from "../../../core/kernel/ids.ts";
import type { ReaderReply, Subscription } from "../../../core/log/stream-hub.ts";
import { createAskView, type TypedAnswer } from "./ask-view.ts";
import { createCommandView } from "./command-view.ts";
import { createQueueView } from "./queue-view.ts";
import { createTurnView } from "./turn-view.ts";
import type { ViewContext } from "./view-context.ts";

/** One conversation as one chat (or topic) shows it. */
export interface ChatView {
	/** Runs `send` so that what it starts is known to come from these chat messages. */
	from<T>(messageIds: number[], send: () => T): T;
	/** Remembers which chat messages became which prompt. */
	sent(messageIds: number[], promptId: MessageId): void;
	/** Whether the next message, or one that replies to this one, is an answer. */
	awaitsAnswer(repliedTo: number | undefined): boolean;
	/** `choicesOnly`: the text counts only if it is one of the question's choices. */
	answerTyped(text: string, repliedTo: number | undefined, options?: { choicesOnly: boolean; from?: string }): TypedAnswer;
	isRunning(): boolean;
	isAsking(): boolean;
	startedAt(): number | undefined;
	commands(): ExecId[];
	/** Ends. `left`: the chat shows another conversation; `shut-out`: it may not read any more; `stopped`: the next process takes this up again. */
	close(reason: "left" | "shut-out" | "stopped"): void;
}

/** Follows the conversation like every other reader and draws it into the chat. */
export function createChatView(context: ViewContext): ChatView {
	const { conversationId, thread, prompts } = context;
	const turn = createTurnView(context);
	const ask = createAskView(context, (asking) => turn.setAsking(asking));
	const queue = createQueueView(context);
	const commands = createCommandView(context);
	let sending: number[] = [];
	let subscription: Subscription | undefined;

	const sent = (messageIds: number[], promptId: MessageId) => {
		for (const messageId of messageIds) prompts.add({ chatId: thread.chatId, messageId, conversationId, promptId });
	};

	function event(frame: LogEvent): void {
		// Events of a prompt come before the call that sent it returns.
		if (frame.type === "copilot:user_message" && frame.data.metadata.bash !== true && sending.length > 0) {
			sent(sending, toMessageId(frame.data.messageId));
			sending = [];
		}
		const isTaken = frame.type === "copilot:message_updated" && frame.data.metadata.delivery !== "queued";
		if (isTaken || frame.type === "copilot:message_removed") prompts.forgetPieces(frame.data.messageId);
		turn.event(frame);
		ask.event(frame);
		queue.event(frame);
		commands.event(frame);
	}

	function status(data: EventData<"copilot:stream-status">): void {
		if (data.status === "streaming" && data.turn !== undefined) turn.begin(data.turn);
	}

	function snapshot(data: ServerFrameOf<"copilot:snapshot">["data"]): void {
		turn.recover(data.messages, data.turn?.userMessageId);
		if (data.turn !== undefined) turn.begin(data.turn, data.turn);
		queue.show(data.queue);
		for (const question of data.questions) ask.question(question);
		for (const request of data.permissions) ask.permission(request);
		commands.resume(data.commands);
	}

	/** A reader must not throw: an error here costs this chat one event, never the conversation. */
	function guarded(work: () => void): void {
		try {
			work();
		} catch (error) {
			context.logger.error({ err: error, conversationId, chatId: thread.chatId }, "Telegram could not show an event");
		}
	}

	subscription = context.conversations.subscribe(
		conversationId,
		{},
		{
			// This reader never resumes from a position, so every event it gets is a live one and comes as a value.
			event: (_frame, committed) => guarded(() => committed.event !== undefined && take(committed.event)),
			reply: (frame) => guarded(() => takeReply(frame)),
		},
	);

	function take(committed: LogEvent): void {
		if (committed.type === "copilot:stream-status") status(committed.data);
		else event(committed);
	}

	function takeReply(frame: ReaderReply): void {
		if (frame.type === "copilot:snapshot") snapshot(frame.data);
	}

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
		awaitsAnswer: (repliedTo) => ask.awaitsAnswer(repliedTo),
		answerTyped: (text, repliedTo, options) => ask.answerTyped(text, repliedTo, options),
		isRunning: () => turn.isRunning(),
		isAsking: () => ask.isAsking(),
		startedAt: () => turn.startedAt(),
		commands: () => commands.running(),
		close(reason) {
			subscription?.close();
			if (reason !== "stopped") ask.leave({ quietly: reason === "shut-out" });
			if (reason !== "stopped") queue.leave({ quietly: reason === "shut-out" });
			turn.close();
			commands.close();
		},
	};
}
