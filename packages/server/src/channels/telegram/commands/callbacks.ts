import type { CallbackQuery } from "grammy/types";
import { AppError, assertNever } from "../../../core/kernel/errors.ts";
import { conversationId as toConversationId, execId as toExecId, messageId as toMessageId } from "../../../core/kernel/ids.ts";
import type { BotContext } from "../bot-context.ts";
import { type ChatThread, isGroup } from "../chats/chat-thread.ts";
import { threadOf, whoIs } from "../inbox/incoming.ts";
import type { Messages } from "../messages/messages.ts";
import { errorText } from "../messages/spoken-error.ts";
import type { ButtonAction } from "./buttons.ts";
import { ownConversations, tellSwitch } from "./commands.ts";
import { stopAll } from "./stop.ts";

interface Reaction {
	text?: string;
	/** Shown as a dialog, for what must not be missed. */
	alert?: boolean;
	/** The buttons mean nothing any more. */
	clear?: boolean;
}

/** Where a button was tapped, and by whom. */
interface Tap {
	thread: ChatThread;
	by: string;
}

/** A tap on a button: what it decides is done first, then Telegram is told; that Telegram refuses to hear it changes nothing. */
export function createCallbacks(context: BotContext, runLate: (updateIds: number[]) => void): (query: CallbackQuery) => Promise<void> {
	return async (query) => {
		const { message } = query;
		const thread = message === undefined ? undefined : threadOf({ ...message, chat: message.chat });
		const action = thread === undefined || query.data === undefined ? undefined : context.buttons.find(thread.chatId, query.data);
		const words = thread === undefined ? context.wordsFor(query.from.language_code) : context.words(thread);
		const reaction =
			thread === undefined || action === undefined
				? expired(words)
				: await attempt(context, { thread, by: whoIs(query.from) }, action, runLate);
		if (reaction.clear === true && thread !== undefined && message !== undefined)
			void context.client.removeKeyboard(thread, message.message_id);
		const { text, alert } = reaction;
		await context.client.answerCallback(query.id, { ...(text !== undefined && { text }), ...(alert !== undefined && { alert }) });
	};
}

const expired = (words: Messages): Reaction => ({ text: words.buttonExpired, alert: true, clear: true });

async function attempt(context: BotContext, tap: Tap, action: ButtonAction, runLate: (updateIds: number[]) => void): Promise<Reaction> {
	try {
		return await perform(context, tap, action, runLate);
	} catch (error) {
		if (error instanceof AppError)
			return { text: errorText(context.words(tap.thread), error), alert: true, clear: error.code === "request-not-found" };
		context.logger.error({ err: error, action: action.kind }, "A button failed");
		return { text: context.words(tap.thread).failed, alert: true };
	}
}

async function perform(context: BotContext, tap: Tap, action: ButtonAction, runLate: (updateIds: number[]) => void): Promise<Reaction> {
	const { conversations, outbox } = context;
	const { thread, by: from } = tap;
	const words = context.words(thread);
	switch (action.kind) {
		case "stop":
			// The chat may show another conversation by now; this button is about its own.
			if (context.bindings.find(thread)?.entry.conversationId === action.conversationId) return { text: stopAll(context, thread) };
			return { text: conversations.abort(toConversationId(action.conversationId)) ? words.stopped : words.nothingRuns, clear: true };
		case "answer": {
			const { requestId, answer } = action;
			conversations.answer({
				conversationId: toConversationId(action.conversationId),
				requestId,
				answer,
				wasFreeform: false,
				by: "telegram",
				from,
			});
			return { text: words.answered };
		}
		case "answer-other":
			return { text: words.typeAnswer, alert: true };
		case "decide": {
			const { requestId, decision } = action;
			conversations.decide({ conversationId: toConversationId(action.conversationId), requestId, decision, by: "telegram", from });
			return { text: decision === "reject" ? words.denied : words.allowed };
		}
		case "queue-now":
			conversations.sendQueuedNow(toConversationId(action.conversationId), toMessageId(action.messageId));
			return { text: words.sendingNow };
		case "queue-drop":
			conversations.dropQueued(toConversationId(action.conversationId), toMessageId(action.messageId));
			return { text: words.dropped };
		case "kill-exec":
			return { text: conversations.killExec(toExecId(action.execId)) ? words.ending : words.hasEnded, clear: true };
		case "kill-job": {
			const result = await context.shell.killJob(toConversationId(action.conversationId), action.bashId);
			return { text: words.jobEnded(result.message), alert: !result.ok };
		}
		case "set-model":
			await conversations.update(toConversationId(action.conversationId), { model: action.model });
			context.say(thread, words.modelChanged(action.model), { silent: true });
			return { clear: true };
		case "switch": {
			const id = toConversationId(action.conversationId);
			if (isGroup(thread) && !ownConversations(context, thread).includes(id)) return expired(words);
			tellSwitch(context, context.bindings.switchTo(thread, id));
			return { clear: true };
		}
		case "resend":
			return { text: outbox.resend(action.rowId) ? words.sendingAgain : words.sentAgain, clear: true };
		case "run-late":
			runLate(action.updateIds);
			return { text: words.runningNow, clear: true };
		case "drop-late":
			for (const id of action.updateIds) context.inbox.done(id);
			return { text: words.dropped, clear: true };
		default:
			return assertNever(action);
	}
}
