import { parseInput } from "@rightseat/protocol/parse-input";
import type { Message } from "grammy/types";
import type { ChatBindings } from "../chats/chat-bindings.ts";
import type { ChatThread } from "../chats/chat-thread.ts";
import type { Speaker } from "../chats/speaker.ts";
import { type Commands, parseCommand } from "../commands/commands.ts";
import type { ChatWork } from "./chat-work.ts";
import { auditName, type BotIdentity, type Incoming, readMessage } from "./incoming.ts";
import type { MessageBatcher } from "./message-batcher.ts";
import type { StaleMessages } from "./stale-messages.ts";

const STOP_WORD = /^(stop|停|停止|停下)[.!。！]?$/i;

/** Decides what a person's message is. Answers, Stop and control commands act at once; the rest is batched, or worked off in order per chat. */
export interface MessageHandler {
	/** `isConfirmed`: the person wants it done although it is stale. */
	handle(message: Message, update: { updateId: number; isConfirmed: boolean }): void;
}

export function createMessageHandler(deps: {
	bot: () => BotIdentity;
	bindings: Pick<ChatBindings, "find">;
	commands: Commands;
	batcher: Pick<MessageBatcher, "add" | "isPiece">;
	stale: Pick<StaleMessages, "isStale" | "hold">;
	stop: (thread: ChatThread) => string;
	work: ChatWork;
	speaker: Speaker;
}): MessageHandler {
	const { bindings, commands, batcher, stale, work, speaker } = deps;

	/** What waits for an answer takes every text that is no command of ours: `/tmp` is one. */
	function isAnswer({ thread, repliedTo }: Incoming): boolean {
		return bindings.find(thread)?.view.awaitsAnswer(repliedTo?.messageId) ?? false;
	}

	/** A bare "stop", or the answer to a question that waits. An answer that may come in pieces is batched first. */
	function isDoneAtOnce(message: Incoming): boolean {
		const { thread, text, messageId } = message;
		if (!message.isTyped || message.files.length > 0 || parseInput(text).kind !== "prompt") return false;
		const isStop = STOP_WORD.test(text.trim());
		if (!isStop && batcher.isPiece(message)) return false;
		const typed = { text, repliedTo: message.repliedTo?.messageId, choicesOnly: isStop };
		const answer = bindings.find(thread)?.view.answerTyped(typed, auditName(message.user)) ?? "none";
		if (answer === "none" && !isStop) return false;
		if (answer !== "answered") speaker.say(thread, isStop ? deps.stop(thread) : speaker.words(thread).needsButton, { replyTo: messageId });
		return true;
	}

	return {
		handle(raw, { updateId, isConfirmed }) {
			const { username } = deps.bot();
			const message = isService(raw) ? undefined : readMessage(raw, updateId, deps.bot());
			const command = message?.isTyped === true ? parseCommand(message.text, username) : undefined;
			if (message === undefined || command === "other") work.handled([updateId]);
			else if (command !== undefined && (commands.knows(command) || !isAnswer(message))) {
				const run = () => commands.run(message, command);
				if (commands.isControl(command)) work.now(message, run);
				else work.inOrder([message], run);
			} else if (isDoneAtOnce(message)) work.handled([updateId]);
			else if (!isConfirmed && stale.isStale(message)) stale.hold(message);
			else batcher.add(message);
		},
	};
}

const isService = (message: Message) =>
	message.new_chat_members !== undefined ||
	message.left_chat_member !== undefined ||
	message.forum_topic_created !== undefined ||
	message.forum_topic_edited !== undefined ||
	message.forum_topic_closed !== undefined ||
	message.pinned_message !== undefined ||
	message.group_chat_created !== undefined;
