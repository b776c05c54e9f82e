import type { Conversations } from "../../../core/conversations/conversations.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { type ConversationId, conversationId as toConversationId } from "../../../core/kernel/ids.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { ChatView } from "../render/chat-view.ts";
import type { ChatSessions, SessionEntry } from "./chat-sessions.ts";
import { type Place, placeKey } from "./chat-thread.ts";

/** A chat and the conversation that it shows. */
export interface Desk {
	place: Place;
	entry: SessionEntry;
	view: ChatView;
}

export interface ChatDesks {
	find(place: Place): Desk | undefined;
	/** The chat's conversation; the first message creates it. */
	ensure(place: Place): Promise<Desk>;
	/** Shows another conversation in this chat from now on. Throws `conversation-not-found`. */
	switchTo(place: Place, id: ConversationId): Desk;
	/** Every conversation that a topic of this chat shows. */
	shownIn(chatId: number): ConversationId[];
	/** The chat shows nothing any more; the conversation stays on the page. */
	leave(place: Place): SessionEntry | undefined;
	/** Takes up every chat that is known from before and may still read; the others are forgotten. */
	restore(): void;
	/** Forgets every chat that may not read any more, at once. */
	shutOut(): void;
	moveChat(from: number, to: number): void;
	close(): void;
}

export function createChatDesks(deps: {
	conversations: Conversations;
	sessions: ChatSessions;
	open: (place: Place, id: ConversationId) => ChatView;
	onDeleted: (place: Place) => void;
	mayRead: (chatId: number) => boolean;
	logger: Logger;
}): ChatDesks {
	const { conversations, sessions } = deps;
	const views = new Map<string, ChatView>();

	function show(place: Place, entry: SessionEntry): Desk {
		const view = views.get(placeKey(place)) ?? deps.open(place, entry.conversationId);
		views.set(placeKey(place), view);
		return { place, entry, view };
	}

	function closeView(place: Place, reason: "left" | "shut-out" = "left"): void {
		views.get(placeKey(place))?.close(reason);
		views.delete(placeKey(place));
	}

	function shutOut(): void {
		for (const { place, entry } of sessions.all()) {
			if (deps.mayRead(place.chatId)) continue;
			closeView(place, "shut-out");
			sessions.unbind(place);
			deps.logger.info({ chatId: place.chatId, conversationId: entry.conversationId }, "A chat may not read any more and is let go");
		}
	}

	function switchTo(place: Place, id: ConversationId): Desk {
		// The person may have been removed while their conversation was being made.
		if (!deps.mayRead(place.chatId)) throw new AppError("forbidden", "This chat may not use the bot.");
		const { model, cwd } = conversations.get(id);
		closeView(place);
		return show(place, sessions.bind(place, { conversationId: id, model, workingDirectory: cwd }));
	}

	const offChange = conversations.onChange((change) => {
		const id = change.kind === "deleted" ? change.id : toConversationId(change.conversation.id);
		for (const place of sessions.placesOf(id)) {
			if (change.kind === "deleted") {
				closeView(place);
				sessions.unbind(place);
				deps.onDeleted(place);
				continue;
			}
			const entry = sessions.find(place);
			if (entry === undefined) continue;
			entry.model = change.conversation.model;
			entry.workingDirectory = change.conversation.cwd;
		}
	});

	return {
		find(place) {
			const entry = sessions.find(place);
			return entry === undefined ? undefined : show(place, entry);
		},
		async ensure(place) {
			const known = sessions.find(place);
			if (known !== undefined) {
				sessions.touch(place);
				return show(place, known);
			}
			const created = await conversations.create({});
			return switchTo(place, toConversationId(created.id));
		},
		switchTo,
		shownIn: (chatId) => sessions.all().flatMap(({ place, entry }) => (place.chatId === chatId ? [entry.conversationId] : [])),
		leave(place) {
			const entry = sessions.find(place);
			closeView(place);
			sessions.unbind(place);
			return entry;
		},
		shutOut,
		restore() {
			shutOut();
			for (const { place, entry } of sessions.all()) {
				try {
					show(place, entry);
				} catch (error) {
					deps.logger.error({ err: error, chatId: place.chatId }, "A chat could not be taken up again");
				}
			}
		},
		moveChat(from, to) {
			for (const { place, entry } of sessions.all()) {
				if (place.chatId !== from) continue;
				closeView(place);
				deps.logger.info({ from, to, conversationId: entry.conversationId }, "A group became a supergroup; its conversation goes on there");
			}
			sessions.moveChat(from, to);
			for (const { place, entry } of sessions.all()) if (place.chatId === to) show(place, entry);
		},
		close() {
			offChange();
			for (const view of views.values()) view.close("stopped");
			views.clear();
		},
	};
}
