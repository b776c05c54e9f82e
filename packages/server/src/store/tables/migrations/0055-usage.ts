import type { Migration } from "./migration.ts";

/** What was used, by day, conversation, agent and model; what a conversation has used in all, and what it may. */
export const usage: Migration = {
	name: "0055-usage",
	up(sql) {
		sql.exec(`
			CREATE TABLE usage (
				day TEXT NOT NULL,
				-- Stays when the conversation is deleted: what it used was used. Empty: joined with others.
				conversation_id TEXT NOT NULL,
				agent TEXT NOT NULL,
				model TEXT NOT NULL,
				input_tokens INTEGER NOT NULL,
				output_tokens INTEGER NOT NULL,
				-- NULL: nobody told one.
				cost REAL,
				PRIMARY KEY (day, conversation_id, agent, model)
			) STRICT, WITHOUT ROWID;
			CREATE INDEX usage_of_conversation ON usage (conversation_id);
			ALTER TABLE conversations ADD COLUMN budget TEXT;
			ALTER TABLE conversations ADD COLUMN used_tokens INTEGER NOT NULL DEFAULT 0;
			ALTER TABLE conversations ADD COLUMN used_cost REAL NOT NULL DEFAULT 0;
		`);
	},
};
