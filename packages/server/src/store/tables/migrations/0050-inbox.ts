import type { Migration } from "./migration.ts";

/** What nobody has looked at yet, what people said about items of the inbox, and which notifications are out. */
export const inbox: Migration = {
	name: "0050-inbox",
	up(sql) {
		sql.exec(`
			-- Conversations from before have none: a new inbox does not begin with everything that ever ended.
			CREATE TABLE inbox_ends (
				conversation_id TEXT PRIMARY KEY REFERENCES conversations (id) ON DELETE CASCADE,
				message_id TEXT NOT NULL,
				kind TEXT NOT NULL,
				since INTEGER NOT NULL,
				why TEXT NOT NULL,
				code TEXT NOT NULL,
				params TEXT NOT NULL
			) STRICT, WITHOUT ROWID;
			CREATE INDEX inbox_ends_by_time ON inbox_ends (since);

			CREATE TABLE inbox_marks (
				position INTEGER PRIMARY KEY,
				item_id TEXT NOT NULL UNIQUE,
				seen INTEGER NOT NULL,
				snoozed_until INTEGER NOT NULL
			) STRICT;

			-- An item that is here was told, or will not be; \`sent\`: a notification about it is out and has to be taken back.
			CREATE TABLE inbox_told (
				item_id TEXT PRIMARY KEY,
				conversation_id TEXT,
				sent INTEGER NOT NULL
			) STRICT, WITHOUT ROWID;
		`);
	},
};
