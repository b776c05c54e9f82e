import type { Migration } from "./migration.ts";

/**
 * Order of arrival is the row's own number, not a clock that can be set back. What was sent keeps no content, and what belongs to a conversation
 * says so, to go with it.
 */
export const telegramOrder: Migration = {
	name: "0021-telegram-order",
	up(sql) {
		sql.exec(`
			CREATE TABLE telegram_inbox_new (
				position INTEGER PRIMARY KEY,
				bot_id INTEGER NOT NULL,
				update_id INTEGER NOT NULL,
				received_at INTEGER NOT NULL,
				state TEXT NOT NULL CHECK (state IN ('pending', 'held', 'done')),
				payload TEXT,
				UNIQUE (bot_id, update_id)
			) STRICT;
			INSERT INTO telegram_inbox_new (bot_id, update_id, received_at, state, payload)
				SELECT bot_id, update_id, received_at, state, payload FROM telegram_inbox ORDER BY received_at, update_id;
			DROP TABLE telegram_inbox;
			ALTER TABLE telegram_inbox_new RENAME TO telegram_inbox;
			CREATE INDEX telegram_inbox_open ON telegram_inbox (position) WHERE state = 'pending';

			CREATE TABLE telegram_outbox_new (
				id INTEGER PRIMARY KEY,
				dedupe_key TEXT UNIQUE,
				chat_id INTEGER NOT NULL,
				thread_id INTEGER,
				conversation_id TEXT,
				state TEXT NOT NULL CHECK (state IN ('pending', 'sending', 'sent', 'unknown', 'dead')),
				payload TEXT,
				size INTEGER NOT NULL DEFAULT 0,
				message_id INTEGER,
				created_at INTEGER NOT NULL
			) STRICT;
			INSERT INTO telegram_outbox_new (id, dedupe_key, chat_id, thread_id, state, payload, size, message_id, created_at)
				SELECT id, dedupe_key, chat_id, thread_id, state, iif(state IN ('sent', 'dead'), NULL, payload), length(payload), message_id, created_at
				FROM telegram_outbox;
			DROP TABLE telegram_outbox;
			ALTER TABLE telegram_outbox_new RENAME TO telegram_outbox;
			CREATE INDEX telegram_outbox_open ON telegram_outbox (state, id) WHERE state IN ('pending', 'sending');

			CREATE TABLE telegram_prompts_new (
				position INTEGER PRIMARY KEY,
				chat_id INTEGER NOT NULL,
				message_id INTEGER NOT NULL,
				conversation_id TEXT NOT NULL,
				prompt_id TEXT NOT NULL,
				piece TEXT,
				created_at INTEGER NOT NULL,
				UNIQUE (chat_id, message_id)
			) STRICT;
			INSERT INTO telegram_prompts_new (chat_id, message_id, conversation_id, prompt_id, created_at)
				SELECT chat_id, message_id, conversation_id, prompt_id, created_at FROM telegram_prompts ORDER BY created_at, message_id;
			DROP TABLE telegram_prompts;
			ALTER TABLE telegram_prompts_new RENAME TO telegram_prompts;
			CREATE INDEX telegram_prompts_by_prompt ON telegram_prompts (prompt_id);

			CREATE TABLE telegram_buttons_new (
				position INTEGER PRIMARY KEY,
				id TEXT NOT NULL UNIQUE,
				chat_id INTEGER NOT NULL,
				conversation_id TEXT,
				action TEXT NOT NULL,
				expires_at INTEGER NOT NULL
			) STRICT;
			INSERT INTO telegram_buttons_new (id, chat_id, conversation_id, action, expires_at)
				SELECT id, chat_id, json_extract(action, '$.conversationId'), action, expires_at FROM telegram_buttons ORDER BY expires_at;
			DROP TABLE telegram_buttons;
			ALTER TABLE telegram_buttons_new RENAME TO telegram_buttons;

			CREATE TABLE telegram_languages (chat_id INTEGER PRIMARY KEY, language TEXT NOT NULL) STRICT;
		`);
	},
};
