import type { Migration } from "./migration.ts";

/** The to-do list of each conversation's agent. */
export const todos: Migration = {
	name: "0089-todos",
	up(sql) {
		sql.exec(`
			CREATE TABLE todos (
				conversation_id TEXT PRIMARY KEY REFERENCES conversations (id) ON DELETE CASCADE,
				-- JSON.
				list TEXT NOT NULL
			) STRICT, WITHOUT ROWID;
		`);
	},
};
