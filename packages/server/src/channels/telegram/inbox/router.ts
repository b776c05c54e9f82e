import { parseInput } from "@rightseat/protocol/parse-input";
import type { Message, Update } from "grammy/types";
import { retryWhileRefused, whenStorable } from "../../../core/active/storage-retry.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { messageId as toMessageId } from "../../../core/kernel/ids.ts";
import type { BotContext } from "../bot-context.ts";
import type { ChatThread } from "../chats/chat-thread.ts";
import { createCallbacks } from "../commands/callbacks.ts";
import { CONTROL_COMMANDS, isOwnCommand, parseCommand, runCommand } from "../commands/commands.ts";
import { stopAll } from "../commands/stop.ts";
import { errorText } from "../messages/spoken-error.ts";
import { type Incoming, readMessage, readText, threadOf, whoIs } from "./incoming.ts";
import { promptText } from "./prompt-text.ts";
import { createStaleMessages } from "./stale-messages.ts";
import { submitPrompt, tellButton } from "./submit-prompt.ts";

const STOP_WORD = /^(stop|停|停止|停下)[.!。！]?$/i;

export interface Router {
	/** Handles one update of an allowed person. Never throws; marks it as done when there is nothing left to redo. */
	handle(update: Update): void;
	/** Messages that were joined or did not need to wait. */
	take(messages: Incoming[]): void;
	close(): void;
}

/** Decides what an update is. Taps, answers and control commands act at once; the rest is worked off in order per chat. */
export function createRouter(context: BotContext): Router {
	const late = createStaleMessages(context);
	const callbacks = createCallbacks(context, (updateIds) => {
		for (const id of updateIds) {
			const update = context.inbox.takeHeld(id);
			if (update !== undefined) handle(update, { even: "late" });
		}
	});

	function handle(update: Update, options: { even?: "late" } = {}): void {
		const done = () => handled([update.update_id]);
		const { callback_query: query, edited_message: edit, message: sent } = update;
		if (query !== undefined) void guarded(undefined, () => callbacks(query)).finally(done);
		else if (edit !== undefined) void guarded(undefined, async () => edited(edit)).finally(done);
		else if (sent !== undefined) message(sent, update.update_id, done, options);
		else done();
	}

	function message(raw: Message, updateId: number, done: () => void, options: { even?: "late" }): void {
		context.outbox.unmute(raw.chat.id);
		const incoming = readMessage(raw, updateId, context.bot);
		if (incoming === undefined || isService(raw)) {
			done();
			return;
		}
		const command = incoming.isTyped ? parseCommand(incoming.text, context.bot.username) : undefined;
		if (command === "other") {
			done();
			return;
		}
		// What waits for an answer takes every text that is no command of ours: `/tmp` is one.
		const isAnswer = command !== undefined && !isOwnCommand(command) && awaitsAnswer(incoming);
		if (command !== undefined && !isAnswer) {
			const run = () => guarded(incoming, () => runCommand(context, incoming, command)).finally(done);
			if (CONTROL_COMMANDS.has(command.name)) void run();
			else context.inOrder(incoming.thread, run, done);
			return;
		}
		if (control(incoming)) {
			done();
			return;
		}
		if (options.even !== "late" && late.isStale(incoming)) late.hold(incoming);
		else context.batcher.add(incoming);
	}

	const awaitsAnswer = ({ thread, repliedTo }: Incoming) => context.bindings.find(thread)?.view.awaitsAnswer(repliedTo?.messageId) ?? false;

	/** A bare "stop", or the answer to a question that waits. An answer that may come in pieces is joined first. */
	function control(incoming: Incoming): boolean {
		if (!incoming.isTyped || incoming.files.length > 0 || parseInput(incoming.text).kind !== "prompt") return false;
		const isStop = STOP_WORD.test(incoming.text.trim());
		if (!isStop && context.batcher.isPiece(incoming)) return false;
		const view = context.bindings.find(incoming.thread)?.view;
		const answer =
			view?.answerTyped(incoming.text, incoming.repliedTo?.messageId, { choicesOnly: isStop, from: whoIs(incoming.user) }) ?? "none";
		if (answer === "answered") return true;
		if (isStop) {
			context.say(incoming.thread, stopAll(context, incoming.thread), { replyTo: incoming.messageId });
			return true;
		}
		if (answer !== "needs-button") return false;
		tellButton(context, incoming);
		return true;
	}

	/** Changes the part that this message has in a prompt that waits; the rest of the prompt stays. */
	function edited(raw: Message): void {
		const text = readText(raw, context.bot);
		if (context.batcher.edit(raw.chat.id, raw.message_id, text)) return;
		const known = context.prompts.find(raw.chat.id, raw.message_id);
		if (known === undefined) return;
		const { conversationId: id, promptId } = known;
		const isQueued =
			context.conversations.find(id) !== undefined && context.conversations.queue(id).some((item) => item.messageId === promptId);
		if (!isQueued) {
			context.say(threadOf(raw), context.words(threadOf(raw)).tooLateToEdit, {
				replyTo: raw.message_id,
				silent: true,
			});
			return;
		}
		const kept = context.prompts.pieces(promptId);
		const pieces = kept.map(({ messageId, piece }) => ({ messageId, piece: messageId === raw.message_id ? { ...piece, text } : piece }));
		const prompt = pieces.length === 0 ? text : promptText(pieces.map(({ piece }) => piece));
		if (prompt.trim() === "") return;
		context.conversations.editQueued(id, toMessageId(promptId), prompt);
		context.prompts.keepPieces(raw.chat.id, pieces);
	}

	function handled(updateIds: number[]): void {
		void whenStorable(context, () => {
			for (const id of updateIds) context.inbox.done(id);
		});
	}

	async function guarded(incoming: Incoming | undefined, work: () => Promise<void>): Promise<void> {
		// They may have been removed while their message waited.
		if (incoming !== undefined && !context.mayAct(incoming.user.id)) return;
		try {
			await work();
		} catch (error) {
			tell(incoming?.thread, incoming?.messageId, error);
		}
	}

	function tell(thread: ChatThread | undefined, messageId: number | undefined, error: unknown): void {
		if (!(error instanceof AppError)) context.logger.error({ err: error }, "A Telegram message could not be handled");
		if (thread === undefined) return;
		context.say(thread, `⚠️ ${errorText(context.words(thread), error)}`, messageId === undefined ? {} : { replyTo: messageId });
	}

	return {
		handle: (update) => handle(update),
		take(messages) {
			const [first] = messages;
			if (first === undefined) return;
			const done = () => handled(messages.map((each) => each.updateId));
			const work = async () => {
				// Taken again while the disk refuses: the same update is the same prompt.
				await guarded(first, () => retryWhileRefused(context.clock, () => submitPrompt(context, messages)));
				done();
			};
			// Told to send it again, the person must not have it run by the next process as well.
			context.inOrder(first.thread, work, done);
		},
		close: () => late.close(),
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
