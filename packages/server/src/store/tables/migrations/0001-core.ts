import type { Migration } from "./migration.ts";

/** Conversations, messages with their order and search index, the event log, and what a crash must not forget. */
export const core: Migration = {
	name: "0001-core",
	up(sql) {
		sql.exec(`
			CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;
			CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

			CREATE TABLE conversations (
				key INTEGER PRIMARY KEY,
				id TEXT NOT NULL UNIQUE,
				title TEXT NOT NULL,
				title_fixed INTEGER NOT NULL,
				model TEXT NOT NULL,
				cwd TEXT NOT NULL,
				sdk_session_id TEXT,
				pinned INTEGER NOT NULL,
				archived INTEGER NOT NULL,
				permissions TEXT NOT NULL,
				status TEXT NOT NULL,
				epoch TEXT NOT NULL,
				head_seq INTEGER NOT NULL,
				created_at INTEGER NOT NULL,
				updated_at INTEGER NOT NULL
			) STRICT;
			CREATE INDEX conversations_by_activity ON conversations (pinned, updated_at, id);

			CREATE TABLE messages (
				key INTEGER PRIMARY KEY,
				conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
				id TEXT NOT NULL,
				position INTEGER NOT NULL,
				role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
				content TEXT NOT NULL,
				metadata TEXT NOT NULL,
				delivery TEXT,
				context TEXT,
				client_message_id TEXT,
				payload_hash TEXT,
				created_at INTEGER NOT NULL,
				UNIQUE (conversation_id, id),
				UNIQUE (conversation_id, client_message_id)
			) STRICT;
			CREATE INDEX messages_by_position ON messages (conversation_id, position);
			CREATE INDEX messages_queued ON messages (conversation_id, position) WHERE delivery = 'queued';
			CREATE INDEX messages_pending ON messages (conversation_id, position) WHERE context = 'pending';

			CREATE VIRTUAL TABLE messages_text USING fts5(
				text, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2', prefix='2 3'
			);
			CREATE VIRTUAL TABLE titles_text USING fts5(
				text, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2', prefix='2 3'
			);

			CREATE TABLE events (
				conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
				seq INTEGER NOT NULL,
				frame TEXT NOT NULL,
				PRIMARY KEY (conversation_id, seq)
			) STRICT, WITHOUT ROWID;

			CREATE TABLE open_turns (
				conversation_id TEXT PRIMARY KEY REFERENCES conversations (id) ON DELETE CASCADE,
				message_id TEXT NOT NULL,
				user_message_id TEXT NOT NULL,
				started_at INTEGER NOT NULL,
				first_seq INTEGER NOT NULL
			) STRICT, WITHOUT ROWID;

			CREATE TABLE commands (
				exec_id TEXT PRIMARY KEY,
				conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
				command TEXT NOT NULL,
				cwd TEXT NOT NULL,
				origin TEXT NOT NULL,
				client_message_id TEXT,
				started_at INTEGER NOT NULL,
				first_seq INTEGER NOT NULL,
				ended_at INTEGER,
				message_id TEXT,
				UNIQUE (conversation_id, client_message_id)
			) STRICT;
			CREATE INDEX commands_running ON commands (started_at) WHERE ended_at IS NULL;

			CREATE TABLE attachments (
				id TEXT PRIMARY KEY,
				name TEXT NOT NULL,
				mime_type TEXT NOT NULL,
				size INTEGER NOT NULL,
				path TEXT NOT NULL,
				created_at INTEGER NOT NULL,
				-- Without its conversation an attachment counts as unused, so that its file is still found and removed.
				conversation_id TEXT REFERENCES conversations (id) ON DELETE SET NULL
			) STRICT;
			CREATE INDEX attachments_by_conversation ON attachments (conversation_id, created_at);
		`);
	},
};
