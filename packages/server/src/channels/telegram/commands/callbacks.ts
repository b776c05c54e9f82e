import type { CallbackQuery } from "grammy/types";
import { AppError, assertNever } from "../../../core/kernel/errors.ts";
import { conversationId as toConversationId, execId as toExecId, messageId as toMessageId } from "../../../core/kernel/ids.ts";
import type { BotContext } from "../bot-context.ts";
import { isGroup, type Place } from "../chats/chat-thread.ts";
import { placeOf, whoIs } from "../inbox/incoming.ts";
import type { Messages } from "../messages/messages.ts";
import { errorText } from "../messages/spoken-error.ts";
import type { ButtonAction } from "./buttons.ts";
import { ownConversations, tellSwitch } from "./commands.ts";
import { stopWork } from "./stop.ts";

interface Reaction {
	text?: string;
	/** Shown as a dialog, for what must not be missed. */
	alert?: boolean;
	/** The buttons mean nothing any more. */
	clear?: boolean;
}

/** Where a button was tapped, and by whom. */
interface Tap {
	place: Place;
	by: string;
}

/** A tap on a button: what it decides is done first, then Telegram is told; that Telegram refuses to hear it changes nothing. */
export function createCallbacks(context: BotContext, runLate: (updateIds: number[]) => void): (query: CallbackQuery) => Promise<void> {
	return async (query) => {
		const { message } = query;
		const place = message === undefined ? undefined : placeOf({ ...message, chat: message.chat });
		const action = place === undefined || query.data === undefined ? undefined : context.buttons.find(place.chatId, query.data);
		const words = place === undefined ? context.wordsFor(query.from.language_code) : context.words(place);
		const reaction =
			place === undefined || action === undefined
				? expired(words)
				: await attempt(context, { place, by: whoIs(query.from) }, action, runLate);
		if (reaction.clear === true && place !== undefined && message !== undefined)
			void context.client.removeKeyboard(place, message.message_id);
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
			return { text: errorText(context.words(tap.place), error), alert: true, clear: error.code === "request-not-found" };
		context.logger.error({ err: error, action: action.kind }, "A button failed");
		return { text: context.words(tap.place).failed, alert: true };
	}
}

async function perform(context: BotContext, tap: Tap, action: ButtonAction, runLate: (updateIds: number[]) => void): Promise<Reaction> {
	const { conversations, outbox } = context;
	const { place, by: from } = tap;
	const words = context.words(place);
	switch (action.kind) {
		case "stop":
			// The chat may show another conversation by now; this button is about its own.
			if (context.desks.find(place)?.entry.conversationId === action.conversationId) return { text: stopWork(context, place) };
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
			context.say(place, words.modelChanged(action.model), { silent: true });
			return { clear: true };
		case "switch": {
			const id = toConversationId(action.conversationId);
			if (isGroup(place) && !ownConversations(context, place).includes(id)) return expired(words);
			tellSwitch(context, context.desks.switchTo(place, id));
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
