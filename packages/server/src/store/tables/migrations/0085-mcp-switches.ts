import type { Migration } from "./migration.ts";

/** Which MCP servers are switched off in a conversation, as JSON; before there was a switch none was. */
export const mcpSwitches: Migration = {
	name: "0085-mcp-switches",
	up(sql) {
		sql.exec("ALTER TABLE conversations ADD COLUMN mcp TEXT NOT NULL DEFAULT '{}'");
	},
};
