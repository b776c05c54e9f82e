import type { CallbackQuery } from "grammy/types";
import { AppError, assertNever } from "../../core/errors.ts";
import { conversationId as toConversationId, execId as toExecId, messageId as toMessageId } from "../../core/ids.ts";
import type { BotContext } from "./bot-context.ts";
import type { ButtonAction } from "./buttons.ts";
import { ownConversations, tellSwitch } from "./commands.ts";
import { placeOf, whoIs } from "./incoming.ts";
import { isGroup, type Place } from "./place.ts";
import { stopWork } from "./stop-work.ts";

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
		const reaction =
			place === undefined || action === undefined ? expired() : await attempt(context, { place, by: whoIs(query.from) }, action, runLate);
		if (reaction.clear === true && place !== undefined && message !== undefined)
			void context.client.removeKeyboard(place, message.message_id);
		const { text, alert } = reaction;
		await context.client.answerCallback(query.id, { ...(text !== undefined && { text }), ...(alert !== undefined && { alert }) });
	};
}

const expired = (): Reaction => ({ text: "This button has expired. Ask again.", alert: true, clear: true });

async function attempt(context: BotContext, tap: Tap, action: ButtonAction, runLate: (updateIds: number[]) => void): Promise<Reaction> {
	try {
		return await perform(context, tap, action, runLate);
	} catch (error) {
		if (error instanceof AppError) return { text: error.message, alert: true, clear: error.code === "request-not-found" };
		context.logger.error({ err: error, action: action.kind }, "A button failed");
		return { text: "That did not work. The log has the details.", alert: true };
	}
}

async function perform(context: BotContext, tap: Tap, action: ButtonAction, runLate: (updateIds: number[]) => void): Promise<Reaction> {
	const { conversations, outbox } = context;
	const { place, by: from } = tap;
	switch (action.kind) {
		case "stop":
			// The chat may show another conversation by now; this button is about its own.
			if (context.desks.find(place)?.entry.conversationId === action.conversationId) return { text: stopWork(context, place) };
			return { text: conversations.abort(toConversationId(action.conversationId)) ? "Stopped." : "Nothing is running.", clear: true };
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
			return { text: "Answered." };
		}
		case "answer-other":
			return { text: "Type your answer as the next message.", alert: true };
		case "decide": {
			const { requestId, decision } = action;
			conversations.decide({ conversationId: toConversationId(action.conversationId), requestId, decision, by: "telegram", from });
			return { text: decision === "reject" ? "Denied." : "Allowed." };
		}
		case "queue-now":
			conversations.sendQueuedNow(toConversationId(action.conversationId), toMessageId(action.messageId));
			return { text: "Sending it now." };
		case "queue-drop":
			conversations.dropQueued(toConversationId(action.conversationId), toMessageId(action.messageId));
			return { text: "Dropped." };
		case "kill-exec":
			return { text: conversations.killExec(toExecId(action.execId)) ? "Ending it." : "It has ended already.", clear: true };
		case "kill-job": {
			const result = await context.shell.killJob(toConversationId(action.conversationId), action.bashId);
			return { text: result.message, alert: !result.ok };
		}
		case "set-model":
			await conversations.update(toConversationId(action.conversationId), { model: action.model });
			context.say(place, `The model is ${action.model} from the next message on. The history stays.`, { silent: true });
			return { clear: true };
		case "switch": {
			const id = toConversationId(action.conversationId);
			if (isGroup(place) && !ownConversations(context, place).includes(id)) return expired();
			tellSwitch(context, context.desks.switchTo(place, id));
			return { clear: true };
		}
		case "resend":
			return { text: outbox.resend(action.rowId) ? "Sending it again." : "It was sent again already.", clear: true };
		case "run-late":
			runLate(action.updateIds);
			return { text: "Running it now.", clear: true };
		case "drop-late":
			for (const id of action.updateIds) context.inbox.done(id);
			return { text: "Dropped.", clear: true };
		default:
			return assertNever(action);
	}
}
