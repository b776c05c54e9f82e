import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { type ConversationId, conversationId as toConversationId } from "../../../core/kernel/ids.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { ChatView } from "../render/chat-view.ts";
import type { ChatAgents } from "./chat-agents.ts";
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
	/** Shows another conversation in this chat from now on. Throws `conversation-not-found`. */
	switchTo(thread: ChatThread, id: ConversationId): ChatBinding;
	/** Every conversation that a topic of this chat shows. */
	shownIn(chatId: number): ConversationId[];
	/** The chat no longer shows anything; the conversation stays on the page. */
	leave(thread: ChatThread): SessionEntry | undefined;
	/** Takes up every chat that is known from before and may still read; the others are forgotten. */
	restore(): void;
	/** Forgets every chat that may no longer read, immediately. */
	shutOut(): void;
	moveChat(from: number, to: number): void;
	close(): void;
}

export function createChatBindings(deps: {
	conversations: EveryConversations;
	sessions: ChatSessions;
	chatAgents: Pick<ChatAgents, "forNew">;
	open: (thread: ChatThread, id: ConversationId) => ChatView;
	onDeleted: (thread: ChatThread) => void;
	mayRead: (chatId: number) => boolean;
	logger: Logger;
}): ChatBindings {
	const { conversations, sessions } = deps;
	const views = new Map<string, ChatView>();

	function show(thread: ChatThread, entry: SessionEntry): ChatBinding {
		const view = views.get(threadKey(thread)) ?? deps.open(thread, entry.conversationId);
		views.set(threadKey(thread), view);
		return { thread, entry, view };
	}

	function closeView(thread: ChatThread, reason: "left" | "shut-out" = "left"): void {
		views.get(threadKey(thread))?.close(reason);
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

	function switchTo(thread: ChatThread, id: ConversationId): ChatBinding {
		// The person may have been removed while their conversation was being made.
		if (!deps.mayRead(thread.chatId)) throw new AppError("forbidden", "This chat may not use the bot.");
		const { model, cwd } = conversations.get(id);
		closeView(thread);
		return show(thread, sessions.bind(thread, { conversationId: id, model, workingDirectory: cwd }));
	}

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
			const view = views.get(threadKey(thread));
			return entry === undefined || view === undefined ? undefined : { thread, entry, view };
		},
		async ensure(thread) {
			const known = sessions.find(thread);
			if (known !== undefined) {
				sessions.touch(thread);
				return show(thread, known);
			}
			const created = await conversations.create(deps.chatAgents.forNew(thread));
			return switchTo(thread, toConversationId(created.id));
		},
		switchTo,
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
			for (const { thread, entry } of sessions.all()) if (thread.chatId === to) show(thread, entry);
		},
		close() {
			offDeleted();
			offChange();
			for (const view of views.values()) view.close("stopped");
			views.clear();
		},
	};
}
