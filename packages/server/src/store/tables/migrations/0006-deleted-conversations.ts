import type { Migration } from "./migration.ts";

/** Large conversations that are gone for everybody, while what belonged to them is removed step by step. */
export const deletedConversations: Migration = {
	name: "0006-deleted-conversations",
	up(sql) {
		sql.exec("CREATE TABLE deleted_conversations (key INTEGER PRIMARY KEY, id TEXT NOT NULL) STRICT");
	},
};
