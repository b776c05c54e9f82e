import type { Migration } from "./migration.ts";

/** Which conversations have a git work tree of their own. */
export const worktrees: Migration = {
	name: "0030-worktrees",
	up(sql) {
		sql.exec(`
			CREATE TABLE worktrees (
				path TEXT PRIMARY KEY,
				-- Stays when the conversation is deleted: the folder does, too, until somebody removes it.
				conversation_id TEXT NOT NULL,
				branch TEXT NOT NULL,
				repository TEXT NOT NULL,
				created_at INTEGER NOT NULL
			) STRICT, WITHOUT ROWID;
			CREATE INDEX worktrees_of_conversation ON worktrees (conversation_id);
		`);
	},
};
