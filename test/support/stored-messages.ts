import type { StoredMessages } from "../../packages/server/src/channels/telegram/render/whole-content.ts";
import type { Conversations } from "../../packages/server/src/core/conversations/conversations.ts";
import { messageId } from "../../packages/server/src/core/kernel/ids.ts";

/** What Telegram reads of the conversations of a host that is alone. */
export const storedMessages = (conversations: Pick<Conversations, "messages" | "wholeText">): StoredMessages => ({
	recent: (id, limit) => conversations.messages(id, { limit }).messages,
	wholeText: (id, message) => conversations.wholeText(id, messageId(message)),
});
