import type { Migration } from "./migration.ts";

/** What Telegram must not forget: updates taken, messages to send, which chat shows which conversation, who may write, what buttons mean. */
export const telegram: Migration = {
	name: "0020-telegram",
	up(sql) {
		sql.exec(`
			CREATE TABLE telegram_inbox (
				bot_id INTEGER NOT NULL,
				update_id INTEGER NOT NULL,
				received_at INTEGER NOT NULL,
				state TEXT NOT NULL CHECK (state IN ('pending', 'held', 'done')),
				payload TEXT,
				PRIMARY KEY (bot_id, update_id)
			) STRICT, WITHOUT ROWID;
			CREATE INDEX telegram_inbox_by_time ON telegram_inbox (bot_id, received_at, update_id);

			CREATE TABLE telegram_outbox (
				id INTEGER PRIMARY KEY,
				dedupe_key TEXT UNIQUE,
				chat_id INTEGER NOT NULL,
				thread_id INTEGER,
				state TEXT NOT NULL CHECK (state IN ('pending', 'sending', 'sent', 'unknown', 'dead')),
				payload TEXT NOT NULL,
				message_id INTEGER,
				created_at INTEGER NOT NULL
			) STRICT;
			CREATE INDEX telegram_outbox_open ON telegram_outbox (state, id) WHERE state IN ('pending', 'sending');

			CREATE TABLE telegram_live (
				chat_id INTEGER NOT NULL,
				message_id INTEGER NOT NULL,
				leftover TEXT,
				PRIMARY KEY (chat_id, message_id)
			) STRICT, WITHOUT ROWID;

			CREATE TABLE telegram_chats (
				chat_id INTEGER NOT NULL,
				thread_id INTEGER NOT NULL,
				conversation_id TEXT NOT NULL,
				open_turn TEXT,
				created_at INTEGER NOT NULL,
				last_used INTEGER NOT NULL,
				PRIMARY KEY (chat_id, thread_id)
			) STRICT, WITHOUT ROWID;

			CREATE TABLE telegram_prompts (
				chat_id INTEGER NOT NULL,
				message_id INTEGER NOT NULL,
				conversation_id TEXT NOT NULL,
				prompt_id TEXT NOT NULL,
				created_at INTEGER NOT NULL,
				PRIMARY KEY (chat_id, message_id)
			) STRICT, WITHOUT ROWID;
			CREATE INDEX telegram_prompts_by_prompt ON telegram_prompts (prompt_id);

			CREATE TABLE telegram_buttons (
				id TEXT PRIMARY KEY,
				chat_id INTEGER NOT NULL,
				action TEXT NOT NULL,
				expires_at INTEGER NOT NULL
			) STRICT, WITHOUT ROWID;

			CREATE TABLE telegram_people (
				user_id INTEGER PRIMARY KEY,
				name TEXT NOT NULL,
				paired_at INTEGER NOT NULL
			) STRICT, WITHOUT ROWID;

			CREATE TABLE telegram_state (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
		`);
	},
};
