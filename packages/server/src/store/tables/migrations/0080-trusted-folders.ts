import type { Migration } from "./migration.ts";

/** What people said about folders whose set-up may run. */
export const trustedFolders: Migration = {
	name: "0080-trusted-folders",
	up(sql) {
		sql.exec(`
			CREATE TABLE trusted_folders (
				-- Without links.
				path TEXT PRIMARY KEY,
				-- 0: not this one, although one above it is.
				trusted INTEGER NOT NULL,
				said_at INTEGER NOT NULL
			) STRICT, WITHOUT ROWID;
		`);
	},
};
