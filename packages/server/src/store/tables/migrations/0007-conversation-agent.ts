import type { Migration } from "./migration.ts";

/** Which agent drives a conversation; those from before there was a choice are Copilot's. */
export const conversationAgent: Migration = {
	name: "0007-conversation-agent",
	up(sql) {
		sql.exec("ALTER TABLE conversations ADD COLUMN agent TEXT NOT NULL DEFAULT 'copilot'");
	},
};
