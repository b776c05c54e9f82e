import type { Message } from "grammy/types";
import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import { messageId as toMessageId } from "../../../core/kernel/ids.ts";
import type { SentPrompts } from "../chats/sent-prompts.ts";
import type { Speaker } from "../chats/speaker.ts";
import { type BotIdentity, readText, threadOf } from "./incoming.ts";
import type { MessageBatcher } from "./message-batcher.ts";
import { promptText } from "./prompt-text.ts";

/** A person edited a message: changes the part that it has in a prompt that waits; the rest of the prompt stays. */
export function createMessageEdits(deps: {
	bot: () => BotIdentity;
	batcher: Pick<MessageBatcher, "edit">;
	prompts: Pick<SentPrompts, "find" | "pieces" | "keepPieces">;
	conversations: Pick<EveryConversations, "find" | "queue" | "editQueued">;
	speaker: Speaker;
}): (edited: Message) => Promise<void> {
	const { batcher, prompts, conversations, speaker } = deps;
	return async (edited) => {
		const text = readText(edited, deps.bot());
		const { message_id: editedId, chat } = edited;
		if (batcher.edit(chat.id, editedId, text)) return;
		const known = prompts.find(chat.id, editedId);
		if (known === undefined) return;
		const { conversationId, promptId } = known;
		const waiting = conversations.find(conversationId) === undefined ? [] : conversations.queue(conversationId);
		const queue = waiting instanceof Promise ? await waiting : waiting;
		const isQueued = queue.some((item) => item.messageId === promptId);
		if (!isQueued) {
			const thread = threadOf(edited);
			speaker.say(thread, speaker.words(thread).tooLateToEdit, { replyTo: editedId, silent: true });
			return;
		}
		const pieces = prompts
			.pieces(promptId)
			.map(({ messageId, piece }) => ({ messageId, piece: messageId === editedId ? { ...piece, text } : piece }));
		const prompt = pieces.length === 0 ? text : promptText(pieces.map(({ piece }) => piece));
		if (prompt.trim() === "") return;
		const changed = conversations.editQueued(conversationId, toMessageId(promptId), prompt);
		if (changed instanceof Promise) await changed;
		prompts.keepPieces(chat.id, pieces);
	};
}
