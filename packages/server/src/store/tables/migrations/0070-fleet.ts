import type { Migration } from "./migration.ts";

/** What a host of a fleet keeps. Without a fleet nothing is ever written here. */
export const fleet: Migration = {
	name: "0070-fleet",
	up(sql) {
		sql.exec(`
			CREATE TABLE fleet_chains (
				conversation_id TEXT PRIMARY KEY,
				generation INTEGER NOT NULL,
				epoch TEXT NOT NULL,
				seq INTEGER NOT NULL,
				chain TEXT NOT NULL
			) STRICT, WITHOUT ROWID;
			CREATE TABLE fleet_outbox (
				n INTEGER PRIMARY KEY AUTOINCREMENT,
				client_message_id TEXT NOT NULL UNIQUE,
				entry TEXT NOT NULL
			) STRICT;
			CREATE TABLE fleet_fences (
				lease TEXT PRIMARY KEY,
				number INTEGER NOT NULL
			) STRICT, WITHOUT ROWID;
			CREATE TABLE fleet_created (
				n INTEGER PRIMARY KEY AUTOINCREMENT,
				-- The host that asked, and its id for it.
				key TEXT NOT NULL UNIQUE,
				conversation_id TEXT NOT NULL,
				created_at INTEGER NOT NULL
			) STRICT;
		`);
	},
};
