import type { SqlDatabase } from "../../../core/ports/sql.ts";
import { numberColumn, textOrNullColumn } from "../../../core/ports/sql-row.ts";
import type { ChatThread } from "../chats/chat-thread.ts";

/** Messages that stand for something running, so that a next process can tidy them up. */
export interface LiveStore {
	/** `leftover` is what the message says after a restart; without it the message is deleted. The newest of a message counts. */
	add(chatId: number, messageId: number, leftover: string | undefined): void;
	forget(chatId: number, messageId: number): void;
	/** Throws while the disk refuses: what leaves then could not be noted, and would stand in its chat for ever if this process died. */
	check(): void;
	/** What an earlier process left; each stays until it is forgotten. */
	all(): { thread: ChatThread; messageId: number; leftover: string | undefined }[];
	moveChat(from: number, to: number): void;
}

/** No message has it, so writing about it changes nothing. */
const NOWHERE = { chatId: 0, messageId: 0 };

export function createLiveStore(sql: SqlDatabase): LiveStore {
	const add = sql.prepare("INSERT OR REPLACE INTO telegram_live (chat_id, message_id, leftover) VALUES (?, ?, ?)");
	const forget = sql.prepare("DELETE FROM telegram_live WHERE chat_id = ? AND message_id = ?");
	return {
		add: (chatId, messageId, leftover) => {
			add.run(chatId, messageId, leftover ?? null);
		},
		forget: (chatId, messageId) => {
			forget.run(chatId, messageId);
		},
		check: () => {
			forget.run(NOWHERE.chatId, NOWHERE.messageId);
		},
		all: () =>
			sql
				.prepare("SELECT chat_id, message_id, leftover FROM telegram_live")
				.all()
				.map((row) => ({
					thread: { chatId: numberColumn(row, "chat_id") },
					messageId: numberColumn(row, "message_id"),
					leftover: textOrNullColumn(row, "leftover") ?? undefined,
				})),
		// Messages do not move with a group that became a supergroup.
		moveChat: (from) => {
			sql.prepare("DELETE FROM telegram_live WHERE chat_id = ?").run(from);
		},
	};
}
