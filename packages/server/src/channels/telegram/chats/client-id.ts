import type { ChatThread } from "./chat-thread.ts";

/** The id of what a message asks for: the same on whichever host the bot runs, so that it is done once. */
export const clientIdOf = ({ thread, messageId }: { thread: ChatThread; messageId: number }) => `tg:${thread.chatId}:${messageId}`;

/** The message of this chat that has this id. */
export function chatMessageOf(chatId: number, clientId: string | undefined): number | undefined {
	const prefix = `tg:${chatId}:`;
	if (clientId === undefined || !clientId.startsWith(prefix)) return undefined;
	const messageId = Number(clientId.slice(prefix.length));
	return Number.isSafeInteger(messageId) ? messageId : undefined;
}
