import { conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import type { Life } from "../frame/life.ts";
import type { KnownSchedule, ScheduleScene } from "./schedules-part.ts";

const MINUTE_MS = 60_000;
/** What has just come may still be under way. */
const SLACK_MS = 2_000;
/** More than this many missed times are not counted one by one. */
const MAX_COUNTED = 20;

export interface StoredSchedule {
	readonly id: string;
	readonly marker: string;
	/** Null: every minute. */
	readonly at: number | null;
	readonly conversationId: string | null;
	readonly paused: boolean;
	readonly gone: boolean;
	readonly nextRun: number | null;
	readonly plannedAt: number;
	readonly createdAt: number;
	readonly missed: { due: number; count: number } | undefined;
}

/** As they lie on the disk, the oldest first. */
export function rowsOf(life: Life | undefined): StoredSchedule[] {
	if (life === undefined) return [];
	return life.disk.look("SELECT * FROM schedules ORDER BY created_at, id").map((row) => ({
		id: String(row.id),
		marker: /\bs\d+x\b/.exec(String(row.prompt))?.[0] ?? "",
		at: row.at === null ? null : Number(row.at),
		conversationId: row.conversation_id === null ? null : String(row.conversation_id),
		paused: row.paused === 1,
		gone: row.gone === 1,
		nextRun: row.next_run === null ? null : Number(row.next_run),
		plannedAt: Number(row.planned_at),
		createdAt: Number(row.created_at),
		missed: row.missed_due === null ? undefined : { due: Number(row.missed_due), count: Number(row.missed_count) },
	}));
}

/** Prompts of this schedule that were stored, also those that somebody has taken out of the queue since, by the keys of their runs. */
function sentOf(life: Life, id: string): string[] {
	const prefix = `schedule-${id}-`;
	return life.disk
		.look(
			`SELECT client_message_id AS name FROM messages WHERE substr(client_message_id, 1, ?) = ?
			 UNION ALL SELECT client_message_id FROM removed_messages WHERE substr(client_message_id, 1, ?) = ?`,
			...[prefix.length, prefix, prefix.length, prefix],
		)
		.map(({ name }) => String(name).slice(prefix.length));
}

/** Whenever a process has begun, and at peace. */
export function checkSchedules(scene: ScheduleScene, life: Life): void {
	const { violate, ledger } = scene.world;
	const rows = new Map(rowsOf(life).map((row) => [row.marker, row]));
	for (const known of scene.known.values()) checkKnown(scene, known, rows.get(known.marker));
	for (const row of rows.values()) {
		const sent = sentOf(life, row.id);
		const twice = sent.filter((key, index) => sent.indexOf(key) !== index);
		if (twice.length > 0) violate("schedule-once", `${row.marker} was sent twice for ${twice.join()}`);
		if (row.missed !== undefined && sent.includes(String(row.missed.due)))
			violate("schedule-told", `${row.marker} was sent for ${row.missed.due}, and that time is told as missed`);
		// With a conversation its prompts went, and nobody can count them.
		if (row.conversationId === null ? ledger.deleted.size > 0 : ledger.deleted.has(row.conversationId)) continue;
		const ran = ledger.timesRan.get(row.marker) ?? 0;
		if (ran > sent.length)
			violate("schedule-once", `${row.marker} reached the agent ${ran} times, and ${sent.length} prompts of it are stored`);
		for (const key of scene.known.get(row.marker)?.wanted ?? [])
			if (!sent.includes(key)) violate("schedule-kept", `${row.marker} was run as ${key}, and no such prompt is stored`);
	}
}

function checkKnown({ world: { violate } }: ScheduleScene, known: KnownSchedule, row: StoredSchedule | undefined): void {
	const { marker, deletion } = known;
	if (row === undefined && known.isConfirmed && deletion === "none") violate("schedule-kept", `${marker} was confirmed, and is gone`);
	if (row !== undefined && deletion === "confirmed") violate("schedule-kept", `${marker} was deleted, and is there again`);
	if (row !== undefined && known.paused !== undefined && row.paused !== known.paused)
		violate("schedule-kept", `${marker} is${known.paused ? "" : " not"} paused, as was confirmed, and stored is ${row.paused}`);
}

/** At peace. */
export function examineSchedules(scene: ScheduleScene, life: Life): void {
	const { world } = scene;
	const rows = rowsOf(life);
	for (const row of rows) {
		const sent = sentOf(life, row.id);
		if (sent.length > 0) world.count("a schedule was sent");
		if (row.missed !== undefined) world.count("a schedule was missed");
		examineGone(scene, life, row);
		if (row.gone) continue;
		if (row.at === null) examineMinutes(scene, life, row);
		else if (!row.paused) examineTime(scene, { ...row, at: row.at }, sent);
	}
	if (life.disk.look("SELECT 1 FROM schedule_runs WHERE state = 'failed'").length > 0) world.count("a schedule failed halfway");
	const listed = life.conversations.inbox.list().flatMap(({ kind, id }) => (kind === "schedule-missed" ? [id] : []));
	const missed = rows.flatMap(({ id, missed: time }) => (time === undefined ? [] : [`schedule-missed-${id}-${time.due}`]));
	if (JSON.stringify(listed.sort()) !== JSON.stringify(missed.sort()))
		world.violate("schedule-told", `Missed are ${missed.join()}, and the inbox has ${listed.join()}`);
}

function examineGone({ world }: ScheduleScene, life: Life, row: StoredSchedule): void {
	if (row.conversationId === null) return;
	const isThere = life.conversations.find(conversationId(row.conversationId)) !== undefined;
	if (isThere === row.gone)
		world.violate(
			"schedule-gone",
			`The conversation of ${row.marker} is ${isThere ? "there" : "gone"}, and its schedule ${row.gone ? "rests" : "goes on"}`,
		);
}

function examineTime({ world, known }: ScheduleScene, row: StoredSchedule & { at: number }, sent: readonly string[]): void {
	const now = world.clock.now();
	if (row.nextRun !== null && row.nextRun < now - SLACK_MS)
		world.violate("schedule-told", `${row.marker} was due ${now - row.nextRun} ms ago, and nothing has come of it`);
	const of = known.get(row.marker);
	// One that was moved keeps what was missed before, and counts the new time with it.
	const isTold = row.missed !== undefined && (row.missed.due === row.at || of?.isChanged === true);
	// All that was missed is one thing to decide: run once, or not at all.
	const isDecided = of?.decided.get(row.at) === "skip" || (of?.isChanged === true && of.decided.size > 0);
	if (row.nextRun === null && row.at < now - SLACK_MS && !sent.includes(String(row.at)) && !isTold && !isDecided)
		world.violate("schedule-told", `${row.marker} was due at ${row.at}, and was neither sent nor told as missed`);
}

/** Only while nobody has set a clock or changed the schedule can the minutes be counted. */
function examineMinutes({ world, known, isClockSet }: ScheduleScene, life: Life, row: StoredSchedule): void {
	const of = known.get(row.marker);
	if (isClockSet || of === undefined || of.isChanged || of.decided.size > 0 || (row.missed?.count ?? 0) >= MAX_COUNTED) return;
	const minutes = Math.floor(row.plannedAt / MINUTE_MS) - Math.floor(row.createdAt / MINUTE_MS);
	const ran = life.disk.look("SELECT 1 FROM schedule_runs WHERE schedule_id = ? AND due IS NOT NULL AND state <> 'failed'", row.id).length;
	const missed = row.missed?.count ?? 0;
	if (ran + missed !== minutes)
		world.violate("schedule-counted", `${row.marker}: ${minutes} minutes have passed, ${ran} were used and ${missed} missed`);
}
