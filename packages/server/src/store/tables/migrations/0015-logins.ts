import type { Migration } from "./migration.ts";

/** Where a passkey was made, and which logins were ended on purpose. */
export const logins: Migration = {
	name: "0015-logins",
	up(sql) {
		sql.exec(`
			-- Scheme, name and port; unknown for passkeys made before this was kept.
			ALTER TABLE passkeys ADD COLUMN origin TEXT;

			-- A device that comes back later must learn that it was thrown out, not that its login is merely old.
			CREATE TABLE revoked_sessions (
				secret_hash TEXT PRIMARY KEY,
				revoked_at INTEGER NOT NULL
			) STRICT, WITHOUT ROWID;
		`);
	},
};
