import type { Conversation } from "@rightseat/protocol/model/conversation";
import type { Message } from "@rightseat/protocol/model/message";
import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import type { Awaitable } from "../../../core/kernel/awaitable.ts";
import type { ConversationId } from "../../../core/kernel/ids.ts";
import type { ChatBindings } from "../chats/chat-bindings.ts";
import { type ChatThread, isGroup } from "../chats/chat-thread.ts";
import type { SentPrompts } from "../chats/sent-prompts.ts";
import type { Speaker } from "../chats/speaker.ts";
import { oneLine } from "../render/status-text.ts";

/** Which conversations a chat may show, and showing another one. */
export interface ConversationSwitch {
	/** The newest that may be offered here. */
	offered(thread: ChatThread, limit: number): Conversation[];
	mayShow(thread: ChatThread, id: ConversationId): boolean;
	/** Shows it from now on and tells the chat, in one step with `done`. Throws `conversation-not-found`. */
	show(thread: ChatThread, id: ConversationId, done: () => void): Awaitable<void>;
}

export function createConversationSwitch(deps: {
	bindings: Pick<ChatBindings, "shownIn" | "switchTo">;
	prompts: Pick<SentPrompts, "spokenToIn">;
	conversations: Pick<EveryConversations, "list" | "find" | "get" | "messages">;
	/** This host of the fleet is not there now. */
	isAway: (host: string) => boolean;
	speaker: Speaker;
}): ConversationSwitch {
	const { bindings, prompts, conversations, speaker } = deps;

	/** Conversations that a group showed or was spoken to in: everybody there reads the titles, and a tap would move a private one in. */
	function ownOfGroup({ chatId }: ChatThread): ConversationId[] {
		return [...new Set([...bindings.shownIn(chatId), ...prompts.spokenToIn(chatId)])];
	}

	return {
		offered(thread, limit) {
			if (!isGroup(thread)) return conversations.list({ limit }).conversations;
			return ownOfGroup(thread)
				.flatMap((id) => conversations.find(id) ?? [])
				.slice(0, limit);
		},
		mayShow: (thread, id) => !isGroup(thread) || ownOfGroup(thread).includes(id),
		show(thread, id, done) {
			const { title, host } = conversations.get(id);
			const page = conversations.messages(id, { limit: 1 });
			const finish = ({ messages }: { messages: Message[] }) => {
				tell(thread, { id, title, host, newest: messages.at(-1) });
				done();
			};
			if (!(page instanceof Promise)) return void bindings.switchTo(thread, id, () => finish(page));
			// Its host may take its time, and what the person writes next is meant for it.
			bindings.switchTo(thread, id);
			// A host that is away, and of which no copy is there, has nothing to show.
			return page.catch(() => ({ messages: [] })).then(finish);
		},
	};

	function tell(thread: ChatThread, { id, title, host, newest }: Shown): void {
		const words = speaker.words(thread);
		const last = newest === undefined ? "" : `\n\n${newest.role === "user" ? words.you : words.agent}: ${oneLine(newest.content, 300)}`;
		const shows = newest?.role === "assistant" ? { conversationId: id, messageId: newest.id } : undefined;
		const away = host !== undefined && deps.isAway(host.id) ? `\n${words.hostAway(host.name)}` : "";
		speaker.say(thread, `${words.switched(oneLine(title === "" ? words.newConversation : title, 80))}${away}${last}`, { shows });
	}
}

interface Shown extends Pick<Conversation, "title" | "host"> {
	id: ConversationId;
	newest: Message | undefined;
}
