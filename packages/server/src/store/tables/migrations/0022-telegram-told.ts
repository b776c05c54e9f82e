import type { Migration } from "./migration.ts";

/** The last answer that a chat was told: those that come while Telegram is not connected are told later. NULL: nobody knows. */
export const telegramTold: Migration = {
	name: "0022-telegram-told",
	up(sql) {
		sql.exec("ALTER TABLE telegram_chats ADD COLUMN told TEXT");
	},
};
