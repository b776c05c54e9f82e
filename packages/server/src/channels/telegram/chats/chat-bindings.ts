import type { Conversation } from "@rightseat/protocol/model/conversation";
import { isStorageRefusal } from "../../../core/active/storage-retry.ts";
import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import { type ConversationId, conversationId as toConversationId } from "../../../core/kernel/ids.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { SqlDatabase } from "../../../core/ports/sql.ts";
import type { ChatView } from "../render/chat-view.ts";
import type { StoredMessages } from "../render/whole-content.ts";
import type { ChatAgents } from "./chat-agents.ts";
import { createChatMoves, type NewInChat } from "./chat-moves.ts";
import type { ChatSessions, SessionEntry } from "./chat-sessions.ts";
import { type ChatThread, threadKey } from "./chat-thread.ts";
import { onDeleted } from "./on-deleted.ts";

/** A chat and the conversation that it shows. */
export interface ChatBinding {
	thread: ChatThread;
	entry: SessionEntry;
	view: ChatView;
}

export interface ChatBindings {
	/** What the chat shows now. */
	find(thread: ChatThread): ChatBinding | undefined;
	/** The chat's conversation; the first message creates it. */
	ensure(thread: ChatThread): Promise<ChatBinding>;
	/** Shows another conversation in this chat from now on. What `also` writes is there together with that, or neither is. Throws `conversation-not-found`. */
	switchTo(thread: ChatThread, id: ConversationId, also?: () => void): ChatBinding;
	/** Shows a new conversation from now on; it is made, shown and what `also` writes is there in one step. Rejects as `create` does. */
	begin(thread: ChatThread, input: NewInChat, also?: (made: Conversation) => void): Promise<ChatBinding>;
	/** Every conversation that a topic of this chat shows. */
	shownIn(chatId: number): ConversationId[];
	/** The chat no longer shows anything; the conversation stays on the page. */
	leave(thread: ChatThread): SessionEntry | undefined;
	/** Takes up every chat that is known from before and may still read; the others are forgotten. Throws while the disk refuses writes, and may be repeated. */
	restore(): void;
	/** Forgets every chat that may no longer read, immediately. */
	shutOut(): void;
	/** Shows nothing until `showAgain`: it may be in a transaction, and a view flushes the log, whose events would be taken back with that. */
	moveChat(from: number, to: number): void;
	/** What a chat that was moved shows is shown there from now on. */
	showAgain(chatId: number): void;
	close(): void;
}

export function createChatBindings(deps: {
	conversations: EveryConversations;
	sessions: ChatSessions;
	chatAgents: Pick<ChatAgents, "forNew">;
	sql: Pick<SqlDatabase, "transaction">;
	recent: StoredMessages["recent"];
	open: (thread: ChatThread, id: ConversationId) => ChatView;
	onDeleted: (thread: ChatThread) => void;
	mayRead: (chatId: number) => boolean;
	logger: Logger;
}): ChatBindings {
	const { conversations, sessions } = deps;
	const moves = createChatMoves(deps);
	const views = new Map<string, { id: ConversationId; view: ChatView }>();

	function show(thread: ChatThread, entry: SessionEntry): ChatBinding {
		const { conversationId: id } = entry;
		if (views.get(threadKey(thread))?.id !== id) closeView(thread);
		const view = views.get(threadKey(thread))?.view ?? deps.open(thread, id);
		views.set(threadKey(thread), { id, view });
		return { thread, entry, view };
	}

	function closeView(thread: ChatThread, reason: "left" | "shut-out" = "left"): void {
		views.get(threadKey(thread))?.view.close(reason);
		views.delete(threadKey(thread));
	}

	function shutOut(): void {
		for (const { thread, entry } of sessions.all()) {
			if (deps.mayRead(thread.chatId)) continue;
			closeView(thread, "shut-out");
			sessions.unbind(thread);
			deps.logger.info({ chatId: thread.chatId, conversationId: entry.conversationId }, "A chat may not read any more and is let go");
		}
	}

	function switchTo(thread: ChatThread, id: ConversationId, also?: () => void): ChatBinding {
		const entry = moves.toKnown(thread, id, also);
		closeView(thread);
		return show(thread, entry);
	}

	const begin: ChatBindings["begin"] = async (thread, input, also) => show(thread, await moves.toNew(thread, input, also));

	const isShown = (id: ConversationId) => sessions.threadsOf(id).length > 0;
	const offDeleted = onDeleted(conversations, isShown, (id) => {
		for (const thread of sessions.threadsOf(id)) {
			closeView(thread);
			sessions.unbind(thread);
			deps.onDeleted(thread);
		}
	});
	const offChange = conversations.onChange((change) => {
		if (change.kind === "deleted") return;
		for (const thread of sessions.threadsOf(toConversationId(change.conversation.id))) {
			const entry = sessions.find(thread);
			if (entry === undefined) continue;
			entry.model = change.conversation.model;
			entry.workingDirectory = change.conversation.cwd;
		}
	});

	return {
		find(thread) {
			const entry = sessions.find(thread);
			const shown = views.get(threadKey(thread));
			return entry === undefined || shown?.id !== entry.conversationId ? undefined : { thread, entry, view: shown.view };
		},
		async ensure(thread) {
			const known = sessions.find(thread);
			if (known !== undefined) {
				sessions.touch(thread);
				return show(thread, known);
			}
			return begin(thread, deps.chatAgents.forNew(thread));
		},
		switchTo,
		begin,
		shownIn: (chatId) => sessions.all().flatMap(({ thread, entry }) => (thread.chatId === chatId ? [entry.conversationId] : [])),
		leave(thread) {
			const entry = sessions.find(thread);
			closeView(thread);
			sessions.unbind(thread);
			return entry;
		},
		shutOut,
		restore() {
			shutOut();
			for (const { thread, entry } of sessions.all()) {
				try {
					show(thread, entry);
				} catch (error) {
					if (isStorageRefusal(error)) throw error;
					deps.logger.error({ err: error, chatId: thread.chatId }, "A chat could not be taken up again");
				}
			}
		},
		moveChat(from, to) {
			for (const { thread, entry } of sessions.all()) {
				if (thread.chatId !== from) continue;
				closeView(thread);
				deps.logger.info({ from, to, conversationId: entry.conversationId }, "A group became a supergroup; its conversation goes on there");
			}
			sessions.moveChat(from, to);
		},
		showAgain(chatId) {
			for (const { thread, entry } of sessions.all()) if (thread.chatId === chatId) show(thread, entry);
		},
		close() {
			offDeleted();
			offChange();
			for (const { view } of views.values()) view.close("stopped");
			views.clear();
		},
	};
}
