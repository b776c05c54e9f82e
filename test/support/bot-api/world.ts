import type { Clock } from "../../../packages/server/src/core/kernel/clock.ts";
import type { Button, Entity } from "./message-rules.ts";
import { badRequest, forbidden, Refusal } from "./refusal.ts";

export interface Message {
	chatId: number;
	messageId: number;
	threadId: number | undefined;
	from: "bot" | "person";
	text: string;
	entities: Entity[];
	buttons: Button[][];
	silent: boolean;
	replyTo: number | undefined;
	/** Photo, document, voice … with the bytes that were sent. */
	media?: { kind: string; filename: string; bytes: Uint8Array };
	at: number;
	edits: { at: number; text: string }[];
	deletedAt?: number;
	/** The message as an update carries it. */
	wire: Record<string, unknown>;
}

export interface Chat {
	id: number;
	type: "private" | "group" | "supergroup";
	title?: string;
	isForum: boolean;
	topics: Set<number>;
	/** The person blocked the bot. */
	blocked: boolean;
	migratedTo?: number;
}

/** Chats, messages and files as Telegram keeps them. */
export function createWorld(clock: Clock) {
	const chats = new Map<number, Chat>();
	const messages: Message[] = [];
	const files = new Map<string, { path: string; bytes: Uint8Array; size: number }>();
	let nextMessageId = 10;
	let nextFile = 1;

	return {
		chats,
		messages,
		files,
		addChat(chat: Omit<Chat, "topics" | "blocked" | "isForum"> & { isForum?: boolean }): Chat {
			const known = chats.get(chat.id);
			if (known !== undefined) return known;
			const added: Chat = { ...chat, isForum: chat.isForum ?? false, topics: new Set(), blocked: false };
			chats.set(chat.id, added);
			return added;
		},
		/** The chat a call names, if the bot may write there. */
		chat(chatId: number | undefined): Chat {
			const chat = chatId === undefined ? undefined : chats.get(chatId);
			if (chat === undefined) throw badRequest("chat not found");
			if (chat.migratedTo !== undefined) {
				throw new Refusal(400, "Bad Request: group chat was upgraded to a supergroup chat", { migrate_to_chat_id: chat.migratedTo });
			}
			if (chat.blocked) throw forbidden("bot was blocked by the user");
			return chat;
		},
		/** General is written to without a thread id; naming it, or a topic that is gone, is refused. */
		thread(chat: Chat, threadId: number | undefined): number | undefined {
			if (threadId !== undefined && !chat.topics.has(threadId)) throw badRequest("message thread not found");
			return threadId;
		},
		addMessage(message: Omit<Message, "messageId" | "at" | "edits" | "wire"> & { messageId?: number }): Message {
			const messageId = message.messageId ?? nextMessageId++;
			const added: Message = { ...message, messageId, at: clock.now(), edits: [], wire: {} };
			messages.push(added);
			return added;
		},
		newMessageId: () => nextMessageId++,
		find(chatId: number, messageId: number | undefined): Message | undefined {
			return messages.find((each) => each.chatId === chatId && each.messageId === messageId && each.deletedAt === undefined);
		},
		addFile(name: string, bytes: Uint8Array, size = bytes.length): string {
			const fileId = `file${nextFile}`;
			files.set(fileId, { path: `documents/${nextFile}-${name.replace(/[^\w.-]/g, "_")}`, bytes, size });
			nextFile += 1;
			return fileId;
		},
	};
}
export type World = ReturnType<typeof createWorld>;
