import { missedReasonSchema, runOutcomeSchema, scheduledConversation, scheduleSchema } from "@rightseat/protocol/http/schedules";
import { conversationId, messageId, type ScheduleId, scheduleId } from "../../core/kernel/ids.ts";
import type { RunError, RunRow, ScheduleRow, ScheduleStore, When, Where } from "../../core/ports/schedule-store.ts";
import type { SqlDatabase, SqlRow, SqlValue } from "../../core/ports/sql.ts";
import { numberColumn, numberOrNullColumn, textColumn, textOrNullColumn } from "../../core/ports/sql-row.ts";

const COLUMNS = [
	...["id", "prompt", "at", "cron", "timezone", "conversation_id", "conversation", "paused", "gone", "next_run", "planned_at"],
	...["forgotten_through", "missed_due", "missed_count", "missed_reason", "missed_since", "created_at"],
];

export function createScheduleStore(sql: SqlDatabase): ScheduleStore {
	const find = (id: ScheduleId) => {
		const row = sql.prepare("SELECT * FROM schedules WHERE id = ?").get(id);
		return row === undefined ? undefined : toSchedule(row);
	};
	const write = (row: ScheduleRow) =>
		sql
			.prepare(
				`INSERT INTO schedules (${COLUMNS.join(", ")}) VALUES (${COLUMNS.map(() => "?").join(", ")})
				 ON CONFLICT (id) DO UPDATE SET ${COLUMNS.slice(1)
						.map((name) => `${name} = excluded.${name}`)
						.join(", ")}`,
			)
			.run(...toColumns(row));
	const runs = (where: string, ...values: SqlValue[]) =>
		sql
			.prepare(`SELECT * FROM schedule_runs WHERE ${where}`)
			.all(...values)
			.map(toRun);

	return {
		transaction: sql.transaction,
		insert: (row) => void write(row),
		find,
		list: () => sql.prepare("SELECT * FROM schedules ORDER BY created_at, id").all().map(toSchedule),
		count: () => Number(sql.prepare("SELECT COUNT(*) AS n FROM schedules").get()?.n ?? 0),
		listDue: (now) =>
			sql
				.prepare("SELECT * FROM schedules WHERE paused = 0 AND gone = 0 AND (next_run <= ? OR planned_at > ?) ORDER BY next_run")
				.all(now, now)
				.map(toSchedule),
		nextTime() {
			const first = sql.prepare("SELECT MIN(next_run) AS time FROM schedules").get();
			return first === undefined ? undefined : (numberOrNullColumn(first, "time") ?? undefined);
		},
		listMissed: () => sql.prepare("SELECT * FROM schedules WHERE missed_due IS NOT NULL ORDER BY missed_since").all().map(toSchedule),
		ofConversation: (id) => sql.prepare("SELECT * FROM schedules WHERE conversation_id = ?").all(id).map(toSchedule),
		update(id, patch) {
			const before = find(id);
			if (before !== undefined) write({ ...before, ...patch });
		},
		delete: (id) => sql.prepare("DELETE FROM schedules WHERE id = ?").run(id).changes > 0,
		claim({ scheduleId: id, key, due, claimedAt, conversationId: conversation }) {
			const insert = sql.prepare(
				`INSERT INTO schedule_runs (schedule_id, run_key, due, claimed_at, state, conversation_id) VALUES (?, ?, ?, ?, 'starting', ?)
				 ON CONFLICT (schedule_id, run_key) DO UPDATE SET state = 'starting', error = NULL WHERE state = 'failed'`,
			);
			return insert.run(id, key, due, claimedAt, conversation).changes > 0;
		},
		updateRun(id, key, { outcome, conversationId: conversation, messageId: message, error }) {
			sql
				.prepare(
					`UPDATE schedule_runs SET state = COALESCE(?, state), conversation_id = COALESCE(?, conversation_id),
					 message_id = COALESCE(?, message_id), error = COALESCE(?, error) WHERE schedule_id = ? AND run_key = ?`,
				)
				.run(outcome ?? null, conversation ?? null, message ?? null, error == null ? null : JSON.stringify(error), id, key);
		},
		findRun: (id, key) => runs("schedule_id = ? AND run_key = ?", id, key)[0],
		lastRun: (id) => runs("schedule_id = ? ORDER BY n DESC LIMIT 1", id)[0],
		openRuns: () => runs("state IN ('starting', 'queued', 'running') ORDER BY n"),
		forgetRuns(id, keep) {
			const old = "schedule_id = ? AND n <= (SELECT n FROM schedule_runs WHERE schedule_id = ? ORDER BY n DESC LIMIT 1 OFFSET ?)";
			const latest = sql.prepare(`SELECT MAX(due) AS due FROM schedule_runs WHERE ${old}`).get(id, id, keep);
			sql.prepare(`DELETE FROM schedule_runs WHERE ${old}`).run(id, id, keep);
			return latest === undefined ? undefined : (numberOrNullColumn(latest, "due") ?? undefined);
		},
	};
}

function toColumns(row: ScheduleRow): SqlValue[] {
	const { when, where, missed } = row;
	return [
		...[row.id, row.prompt, "at" in when ? when.at : null, "cron" in when ? when.cron : null, row.timezone],
		...("conversationId" in where ? [where.conversationId, null] : [null, JSON.stringify(where.conversation)]),
		...[Number(row.paused), Number(row.gone), row.nextRun, row.plannedAt, row.forgottenThrough],
		...[missed?.due ?? null, missed?.count ?? 0, missed?.reason ?? null, missed?.since ?? null, row.createdAt],
	];
}

function toSchedule(row: SqlRow): ScheduleRow {
	const [due, reason] = [numberOrNullColumn(row, "missed_due"), textOrNullColumn(row, "missed_reason")];
	const since = numberOrNullColumn(row, "missed_since") ?? 0;
	return {
		id: scheduleId(textColumn(row, "id")),
		prompt: textColumn(row, "prompt"),
		when: whenOf(row),
		timezone: textColumn(row, "timezone"),
		where: whereOf(row),
		paused: numberColumn(row, "paused") === 1,
		gone: numberColumn(row, "gone") === 1,
		nextRun: numberOrNullColumn(row, "next_run"),
		plannedAt: numberColumn(row, "planned_at"),
		forgottenThrough: numberColumn(row, "forgotten_through"),
		missed: due === null ? undefined : { due, count: numberColumn(row, "missed_count"), reason: missedReasonSchema.parse(reason), since },
		createdAt: numberColumn(row, "created_at"),
	};
}

function whenOf(row: SqlRow): When {
	const at = numberOrNullColumn(row, "at");
	return at === null ? { cron: textColumn(row, "cron") } : { at };
}

function whereOf(row: SqlRow): Where {
	const id = textOrNullColumn(row, "conversation_id");
	if (id !== null) return { conversationId: conversationId(id) };
	return { conversation: scheduledConversation.parse(JSON.parse(textColumn(row, "conversation"))) };
}

function toRun(row: SqlRow): RunRow {
	const [conversation, message] = [textOrNullColumn(row, "conversation_id"), textOrNullColumn(row, "message_id")];
	return {
		scheduleId: scheduleId(textColumn(row, "schedule_id")),
		key: textColumn(row, "run_key"),
		due: numberOrNullColumn(row, "due"),
		claimedAt: numberColumn(row, "claimed_at"),
		outcome: runOutcomeSchema.parse(textColumn(row, "state")),
		conversationId: conversation === null ? null : conversationId(conversation),
		messageId: message === null ? null : messageId(message),
		error: errorOf(textOrNullColumn(row, "error")),
	};
}

function errorOf(json: string | null): RunError | null {
	if (json === null) return null;
	return scheduleSchema.shape.lastResult.parse({ outcome: "failed", error: JSON.parse(json) })?.error ?? null;
}
