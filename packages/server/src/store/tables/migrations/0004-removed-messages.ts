import type { Migration } from "./migration.ts";

/** What was removed and might be sent once more: a client that never saw its acknowledgement repeats it under the same id. */
export const removedMessages: Migration = {
	name: "0004-removed-messages",
	up(sql) {
		sql.exec(`
			CREATE TABLE removed_messages (
				key INTEGER PRIMARY KEY,
				conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
				client_message_id TEXT NOT NULL,
				message_id TEXT NOT NULL,
				payload_hash TEXT,
				UNIQUE (conversation_id, client_message_id)
			) STRICT;
		`);
	},
};
