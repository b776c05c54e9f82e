import type { Migration } from "./migration.ts";

/** Where a conversation was forked from, what its agent was not told of that yet, and by which marks an agent knows its prompts. */
export const forks: Migration = {
	name: "0065-forks",
	up(sql) {
		sql.exec(`
			ALTER TABLE conversations ADD COLUMN forked_from TEXT;
			ALTER TABLE conversations ADD COLUMN forked_at TEXT;
			ALTER TABLE conversations ADD COLUMN fork_key TEXT;
			ALTER TABLE conversations ADD COLUMN untold_from TEXT;
			-- Its messages are still being copied: nobody sees it, and a start removes it.
			ALTER TABLE conversations ADD COLUMN forming INTEGER NOT NULL DEFAULT 0;
			CREATE INDEX conversations_by_source ON conversations (forked_from, created_at) WHERE forked_from IS NOT NULL;
			ALTER TABLE messages ADD COLUMN agent_mark TEXT;
		`);
	},
};
