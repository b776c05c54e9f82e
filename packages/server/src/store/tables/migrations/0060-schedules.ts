import type { Migration } from "./migration.ts";

/** Prompts that are sent at a time, and which of their times were used. */
export const schedules: Migration = {
	name: "0060-schedules",
	up(sql) {
		sql.exec(`
			CREATE TABLE schedules (
				id TEXT PRIMARY KEY,
				prompt TEXT NOT NULL,
				-- One of the two.
				at INTEGER,
				cron TEXT,
				timezone TEXT NOT NULL,
				-- One of the two; the second is how each new conversation begins, in JSON.
				conversation_id TEXT,
				conversation TEXT,
				paused INTEGER NOT NULL,
				-- Its conversation was deleted.
				gone INTEGER NOT NULL,
				-- Null when nothing is planned: also while it is paused.
				next_run INTEGER,
				-- What the clock said when that was decided: a clock that is before it was set back.
				planned_at INTEGER NOT NULL,
				-- Runs up to this time are not remembered one by one any more.
				forgotten_through INTEGER NOT NULL,
				missed_due INTEGER,
				missed_count INTEGER NOT NULL,
				missed_reason TEXT,
				missed_since INTEGER,
				created_at INTEGER NOT NULL
			) STRICT, WITHOUT ROWID;
			CREATE INDEX schedules_of_conversation ON schedules (conversation_id);
			CREATE INDEX schedules_missed ON schedules (missed_since) WHERE missed_due IS NOT NULL;
			CREATE TABLE schedule_runs (
				n INTEGER PRIMARY KEY AUTOINCREMENT,
				schedule_id TEXT NOT NULL REFERENCES schedules (id) ON DELETE CASCADE,
				-- A time in milliseconds, or what a person's wish is known by.
				run_key TEXT NOT NULL,
				due INTEGER,
				claimed_at INTEGER NOT NULL,
				-- How it stands; starting until its prompt is known to be stored.
				state TEXT NOT NULL,
				conversation_id TEXT,
				message_id TEXT,
				-- Why it failed, in JSON.
				error TEXT,
				UNIQUE (schedule_id, run_key)
			) STRICT;
			CREATE INDEX schedule_runs_of_schedule ON schedule_runs (schedule_id, n);
			CREATE INDEX schedule_runs_open ON schedule_runs (n) WHERE state IN ('starting', 'queued', 'running');
		`);
	},
};
