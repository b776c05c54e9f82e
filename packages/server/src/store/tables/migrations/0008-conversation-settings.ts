import type { Migration } from "./migration.ts";

/** How the agent of a conversation works and how hard its model thinks; before there was a choice both were the agent's own. */
export const conversationSettings: Migration = {
	name: "0008-conversation-settings",
	up(sql) {
		sql.exec("ALTER TABLE conversations ADD COLUMN mode TEXT NOT NULL DEFAULT 'agent'");
		sql.exec("ALTER TABLE conversations ADD COLUMN effort TEXT NOT NULL DEFAULT ''");
	},
};
