import { parseInput } from "@rightseat/protocol/parse-input";
import type { Message } from "grammy/types";
import { type Awaitable, after } from "../../../core/kernel/awaitable.ts";
import type { ConversationId } from "../../../core/kernel/ids.ts";
import type { ChatBindings } from "../chats/chat-bindings.ts";
import type { ChatThread } from "../chats/chat-thread.ts";
import type { Speaker } from "../chats/speaker.ts";
import { type Commands, parseCommand } from "../commands/commands.ts";
import type { ChatWork, Handling } from "./chat-work.ts";
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
	/** What prompts to the agent of a conversation can begin with. */
	agentCommands?: (id: ConversationId) => Promise<readonly { name: string }[]>;
	submit(messages: Incoming[], handling: Handling): Promise<void>;
	commands: Commands;
	batcher: Pick<MessageBatcher, "add" | "isPiece">;
	stale: Pick<StaleMessages, "isStale" | "hold">;
	stop: (thread: ChatThread) => Promise<string>;
	work: ChatWork;
	speaker: Speaker;
}): MessageHandler {
	const { bindings, commands, batcher, stale, work, speaker } = deps;

	/** What waits for an answer takes every text that is no command of ours: `/tmp` is one. */
	function isAnswer({ thread, repliedTo }: Incoming): boolean {
		return bindings.find(thread)?.view.awaitsAnswer(repliedTo?.messageId) ?? false;
	}

	/** A bare "stop", or the answer to a question that waits. An answer that may come in pieces is batched first. False: it is something else. */
	function isDoneAtOnce(message: Incoming): Awaitable<boolean> {
		const { thread, text, messageId } = message;
		if (!message.isTyped || message.files.length > 0 || parseInput(text).kind !== "prompt") return false;
		const isStop = STOP_WORD.test(text.trim());
		if (!isStop && batcher.isPiece(message)) return false;
		const typed = { text, repliedTo: message.repliedTo?.messageId, choicesOnly: isStop };
		const handling = work.handling([message.updateId]);
		const said = handling.together(() => bindings.find(thread)?.view.answerTyped(typed, auditName(message.user)) ?? "none");
		return after(said, (answer) => {
			if (answer === "none" && !isStop) return false;
			if (answer === "answered") handling.done();
			else
				work.now(message, async () =>
					speaker.say(thread, isStop ? await deps.stop(thread) : speaker.words(thread).needsButton, { replyTo: messageId }),
				);
			return true;
		});
	}

	/** What was no answer, or came too late to be one. */
	function goOn(message: Incoming, isConfirmed: boolean): void {
		if (!isConfirmed && stale.isStale(message)) stale.hold(message);
		else batcher.add(message);
	}

	/** One that is not ours may be a skill, or a command of the agent, by exactly its name: then it is a prompt. */
	async function isOfAgent({ thread, text }: Incoming): Promise<boolean> {
		const id = bindings.find(thread)?.entry.conversationId;
		const name = /^\/(\w+)(?=\s|$)/.exec(text)?.[1];
		if (id === undefined || name === undefined) return false;
		const known = await deps.agentCommands?.(id).catch(() => []);
		return known?.some((command) => command.name === name) ?? false;
	}

	/** Its host was asked: until it has said so, the answer counts as not handled. */
	async function whenAnswered(message: Incoming, isConfirmed: boolean, isDone: Promise<boolean>): Promise<void> {
		try {
			if (!(await isDone)) goOn(message, isConfirmed);
		} catch (error) {
			work.now(message, () => Promise.reject(error));
		}
	}

	return {
		handle(raw, { updateId, isConfirmed }) {
			const { username } = deps.bot();
			const message = isService(raw) ? undefined : readMessage(raw, updateId, deps.bot());
			const command = message?.isTyped === true ? parseCommand(message.text, username) : undefined;
			if (message === undefined || command === "other") work.handled([updateId]);
			else if (command !== undefined && (commands.knows(command) || !isAnswer(message))) {
				const isPrompt = async () => !commands.knows(command) && (isConfirmed || !stale.isStale(message)) && (await isOfAgent(message));
				const run = async (handling: Handling) => ((await isPrompt()) ? deps.submit([message], handling) : commands.run(message, command));
				if (commands.isControl(command)) work.now(message, () => run(work.handling([updateId])));
				else work.inOrder([message], run);
			} else {
				const isDone = isDoneAtOnce(message);
				if (isDone instanceof Promise) void whenAnswered(message, isConfirmed, isDone);
				else if (!isDone) goOn(message, isConfirmed);
			}
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
