import type { Migration } from "./migration.ts";

/** Links by which guests watch a conversation. */
export const shares: Migration = {
	name: "0066-shares",
	up(sql) {
		sql.exec(`
			CREATE TABLE shares (
				id TEXT PRIMARY KEY,
				conversation_id TEXT NOT NULL,
				-- SHA-256 in hex; the secret itself is nowhere.
				digest TEXT NOT NULL UNIQUE,
				created_at INTEGER NOT NULL,
				expires_at INTEGER NOT NULL,
				used_at INTEGER
			) STRICT, WITHOUT ROWID;
		`);
	},
};
