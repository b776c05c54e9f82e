import type { Migration } from "./migration.ts";

/** Other programs over MCP: their tokens, what they started, and what they have spent. */
export const mcp: Migration = {
	name: "0040-mcp",
	up(sql) {
		sql.exec(`
			CREATE TABLE mcp_tokens (
				id TEXT PRIMARY KEY,
				name TEXT NOT NULL,
				-- SHA-256 in hex; the secret itself is nowhere.
				digest TEXT NOT NULL UNIQUE,
				permissions TEXT NOT NULL,
				reach TEXT NOT NULL,
				created_at INTEGER NOT NULL,
				used_at INTEGER
			) STRICT, WITHOUT ROWID;
			CREATE TABLE mcp_conversations (
				n INTEGER PRIMARY KEY AUTOINCREMENT,
				conversation_id TEXT NOT NULL UNIQUE,
				owner TEXT NOT NULL,
				origin TEXT NOT NULL,
				depth INTEGER NOT NULL
			) STRICT;
			CREATE INDEX mcp_conversations_of_owner ON mcp_conversations (owner, n);
			CREATE TABLE mcp_spent (
				origin TEXT NOT NULL,
				kind TEXT NOT NULL,
				at INTEGER NOT NULL
			) STRICT;
			CREATE INDEX mcp_spent_of_origin ON mcp_spent (origin, kind, at);
			CREATE INDEX mcp_spent_by_age ON mcp_spent (at);
		`);
	},
};
