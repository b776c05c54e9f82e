import type { Message } from "@rightseat/protocol/model/message";
import type { World } from "./world.ts";

/** What people said in other conversations than the pages': those of the chats. */
export async function promptsOfChats(world: World): Promise<string[]> {
	const { conversations }: { conversations: { id: string }[] } = await (await world.server.api("/api/conversations?limit=50")).json();
	const found: string[] = [];
	for (const { id } of conversations.filter((conversation) => conversation.id !== world.conversationId)) {
		const page: { messages: Message[] } = await (await world.server.api(`/api/conversations/${id}/messages?limit=200`)).json();
		found.push(...page.messages.filter((message) => message.role === "user").map((message) => message.content));
	}
	return found;
}

/** A message that the bot has not taken yet: after a refusal it polls again only seconds later. */
export async function chatThatWaits(world: World): Promise<string | undefined> {
	const { chats, mayBeLost } = world.history;
	if (chats.length === 0) return undefined;
	const taken = await promptsOfChats(world);
	return chats.find((chat) => !taken.includes(chat) && !mayBeLost.has(chat));
}

/**
 * How often the answer to a prompt stands in a chat. A status message has the newest words in it too; when Telegram's answer to its
 * sending is lost nobody can take it away, and a chat with it has the answer once.
 */
export function answersTo(marker: string, messages: readonly { text: string }[]): number {
	return messages.filter(({ text }) => text.includes(`answer to ${marker}`) && !text.startsWith("⏳ ")).length;
}
