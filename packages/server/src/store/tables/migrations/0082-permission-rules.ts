import type { Migration } from "./migration.ts";

/** What people allowed for good, by folder. */
export const permissionRules: Migration = {
	name: "0082-permission-rules",
	up(sql) {
		sql.exec(`
			CREATE TABLE permission_rules (
				position INTEGER PRIMARY KEY,
				id TEXT NOT NULL UNIQUE,
				folder TEXT NOT NULL,
				-- A JSON array.
				words TEXT NOT NULL,
				exact INTEGER NOT NULL,
				writes INTEGER NOT NULL,
				created_at INTEGER NOT NULL,
				UNIQUE (folder, exact, words)
			) STRICT;
		`);
	},
};
