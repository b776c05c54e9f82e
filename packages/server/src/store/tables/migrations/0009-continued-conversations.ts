import type { Migration } from "./migration.ts";

/** Conversations that go on from a session of their agent, until an answer has said so; those from before have said it, or cannot be told apart. */
export const continuedConversations: Migration = {
	name: "0009-continued-conversations",
	up(sql) {
		sql.exec("ALTER TABLE conversations ADD COLUMN continued INTEGER NOT NULL DEFAULT 0");
	},
};
