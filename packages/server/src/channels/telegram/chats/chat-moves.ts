import { splitRemoteId } from "@rightseat/protocol/fleet/ids";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { type ConversationId, conversationId as toConversationId } from "../../../core/kernel/ids.ts";
import type { SqlDatabase } from "../../../core/ports/sql.ts";
import { lastAnswer } from "../render/untold-answers.ts";
import type { StoredMessages } from "../render/whole-content.ts";
import type { ChatSessions, SessionEntry } from "./chat-sessions.ts";
import type { ChatThread } from "./chat-thread.ts";

/** What a conversation that begins in a chat is created with. */
export type NewInChat = Parameters<EveryConversations["create"]>[0];

/** A chat gets another conversation, and whatever goes with that, in one step. Both throw `forbidden` where the chat may not read. */
export interface ChatMoves {
	/** To one that exists. Throws `conversation-not-found`. */
	toKnown(thread: ChatThread, id: ConversationId, also?: () => void): SessionEntry;
	/** To one that is made in the same step. Rejects as `create` does. */
	toNew(thread: ChatThread, input: NewInChat, also?: (made: Conversation) => void): Promise<SessionEntry>;
}

/** Looked through for the last answer. */
const NEWEST = 40;

export function createChatMoves(deps: {
	conversations: Pick<EveryConversations, "get" | "create" | "answering">;
	sessions: Pick<ChatSessions, "find" | "write" | "keep" | "refresh" | "openTurn" | "told">;
	recent: StoredMessages["recent"];
	sql: Pick<SqlDatabase, "transaction">;
	mayRead: (chatId: number) => boolean;
}): ChatMoves {
	const { conversations, sessions } = deps;

	/** With the turn that runs there and the last answer: who dies before they are shown must not leave the chat without what comes. */
	function write(
		thread: ChatThread,
		{ id, model, cwd }: Pick<Conversation, "id" | "model" | "cwd">,
		told: string | undefined,
	): SessionEntry {
		// The person may have been removed while their conversation was being made.
		if (!deps.mayRead(thread.chatId)) throw new AppError("forbidden", "This chat may not use the bot.");
		const conversationId = toConversationId(id);
		const isShown = sessions.find(thread)?.conversationId === conversationId;
		const openTurn = conversations.answering(conversationId) ?? (isShown ? sessions.openTurn(thread) : undefined);
		const known = { openTurn, told: isShown ? sessions.told(thread) : told };
		return sessions.write(thread, { conversationId, model, workingDirectory: cwd }, known);
	}

	/** Of another host nobody here knows how far it is before the first snapshot comes. */
	const toldBefore = (id: ConversationId) => (splitRemoteId(id) === undefined ? lastAnswer(deps.recent(id, NEWEST)) : undefined);

	return {
		toKnown(thread, id, also) {
			const conversation = conversations.get(id);
			const entry = deps.sql.transaction(() => {
				const written = write(thread, { ...conversation, id }, toldBefore(id));
				also?.();
				return written;
			});
			sessions.keep(thread, entry);
			return entry;
		},
		async toNew(thread, input, also) {
			await conversations.create(input, (made) => {
				write(thread, made, "");
				also?.(made);
			});
			const entry = sessions.refresh(thread);
			if (entry === undefined) throw new AppError("conversation-not-found", "This conversation was deleted.");
			return entry;
		},
	};
}
