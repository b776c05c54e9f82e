/** Where a message is written: a chat, or one topic of it. */
export interface ChatThread {
	readonly chatId: number;
	/** Absent for a chat without topics and for the topic General, which Telegram wants to be left out. */
	readonly threadId?: number;
}

export const threadKey = (thread: ChatThread) => `${thread.chatId}:${thread.threadId ?? 0}`;
export const isGroup = (thread: ChatThread) => thread.chatId < 0;
export const sameThread = (a: ChatThread, b: ChatThread) => threadKey(a) === threadKey(b);
