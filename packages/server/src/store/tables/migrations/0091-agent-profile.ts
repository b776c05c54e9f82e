import type { Migration } from "./migration.ts";

/** Which agent of its folder a conversation is; before there was a choice it was none. */
export const agentProfile: Migration = {
	name: "0091-agent-profile",
	up(sql) {
		sql.exec("ALTER TABLE conversations ADD COLUMN agent_profile TEXT NOT NULL DEFAULT ''");
	},
};
