import type { Migration } from "./migration.ts";

/** Logins, the audit log, push subscriptions and passkeys of the web channel. */
export const web: Migration = {
	name: "0010-web",
	up(sql) {
		sql.exec(`
			CREATE TABLE web_sessions (
				id TEXT PRIMARY KEY,
				secret_hash TEXT NOT NULL UNIQUE,
				-- Of the access token under which the login happened: another token ends it.
				token_hash TEXT NOT NULL,
				created_at INTEGER NOT NULL,
				last_seen_at INTEGER NOT NULL,
				address TEXT NOT NULL,
				user_agent TEXT NOT NULL,
				method TEXT NOT NULL
			) STRICT;

			CREATE TABLE audit_log (
				id INTEGER PRIMARY KEY AUTOINCREMENT,
				at INTEGER NOT NULL,
				kind TEXT NOT NULL,
				source TEXT NOT NULL,
				detail TEXT NOT NULL
			) STRICT;

			CREATE TABLE push_subscriptions (
				id TEXT PRIMARY KEY,
				endpoint TEXT NOT NULL UNIQUE,
				p256dh TEXT NOT NULL,
				auth TEXT NOT NULL,
				session_id TEXT,
				created_at INTEGER NOT NULL
			) STRICT;

			CREATE TABLE passkeys (
				id TEXT PRIMARY KEY,
				public_key BLOB NOT NULL,
				counter INTEGER NOT NULL,
				transports TEXT NOT NULL,
				name TEXT NOT NULL,
				host TEXT NOT NULL,
				created_at INTEGER NOT NULL
			) STRICT;
		`);
	},
};
