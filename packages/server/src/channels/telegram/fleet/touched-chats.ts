import type { SqlDatabase } from "../../../core/ports/sql.ts";
import { numberColumn } from "../../../core/ports/sql-row.ts";

/** Stands for the bot itself among the chats. */
export const BOT = 0;

/** Chats of which something that others must know has changed, known in the same transaction. Of this connection only: it ends with the process. */
export interface TouchedChats {
	list(): number[];
	/** True if it was among them. */
	take(chatId: number): boolean;
	add(chatId: number): void;
	/** Everything counts as changed. */
	addAll(): void;
}

/** Triggers instead of calls: no write, wherever it is made, can be forgotten. */
export function createTouchedChats(sql: SqlDatabase): TouchedChats {
	sql.exec(`
		CREATE TEMP TABLE IF NOT EXISTS telegram_touched (chat_id INTEGER PRIMARY KEY) STRICT;
		${["outbox", "live", "prompts", "languages"].map((table) => triggers(table, "")).join("")}
		${triggers("chats", "OF chat_id, conversation_id, open_turn, told")}
		${botTriggers("chats", "1")}
		${botTriggers("people", "1")}
		${botTriggers("state", "row.key NOT LIKE 'offset:%'")}
		${botTriggers("inbox", "row.state = 'done'")}
	`);
	const remove = sql.prepare("DELETE FROM temp.telegram_touched WHERE chat_id = ?");
	const add = sql.prepare("INSERT OR IGNORE INTO temp.telegram_touched (chat_id) VALUES (?)");
	return {
		list: () =>
			sql
				.prepare("SELECT chat_id FROM temp.telegram_touched ORDER BY chat_id = 0, chat_id")
				.all()
				.map((row) => numberColumn(row, "chat_id")),
		take: (chatId) => remove.run(chatId).changes > 0,
		add: (chatId) => void add.run(chatId),
		addAll() {
			sql
				.prepare(
					"INSERT OR IGNORE INTO temp.telegram_touched (chat_id) SELECT chat_id FROM telegram_chats UNION SELECT chat_id FROM telegram_outbox",
				)
				.run();
			add.run(BOT);
		},
	};
}

const EVENTS = [
	["INSERT", "NEW"],
	["UPDATE", "NEW"],
	["DELETE", "OLD"],
] as const;

const triggers = (table: string, columns: string) =>
	EVENTS.map(
		([event, row]) => `
		CREATE TEMP TRIGGER IF NOT EXISTS telegram_${table}_${event} AFTER ${event} ${event === "UPDATE" ? columns : ""} ON main.telegram_${table}
		BEGIN INSERT OR IGNORE INTO telegram_touched (chat_id) VALUES (${row}.chat_id); END;`,
	).join("");

const botTriggers = (table: string, condition: string) =>
	EVENTS.map(
		([event, row]) => `
		CREATE TEMP TRIGGER IF NOT EXISTS telegram_bot_${table}_${event} AFTER ${event} ON main.telegram_${table}
		WHEN ${condition.replaceAll("row.", `${row}.`)}
		BEGIN INSERT OR IGNORE INTO telegram_touched (chat_id) VALUES (${BOT}); END;`,
	).join("");
