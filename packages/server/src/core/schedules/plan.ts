import type { Missed, ScheduleRow } from "../ports/schedule-store.ts";
import type { Timetable } from "../ports/timetable.ts";

/** More times than this are not counted one by one: whoever was away for a month wants to know that, not how often. */
const MAX_COUNTED_MISSES = 20;

/** What decides on the times of a schedule. */
type Planned = Pick<ScheduleRow, "when" | "timezone" | "forgottenThrough">;

/** The first time after this moment that was not used before, or null when none is left. */
export function nextDue(row: Planned, timetable: Timetable, after: number, wasRun: (due: number) => boolean): number | null {
	const from = Math.max(after, row.forgottenThrough);
	if ("at" in row.when) return row.when.at > from && !wasRun(row.when.at) ? row.when.at : null;
	const times = timetable.cron(row.when.cron, row.timezone);
	let due = times?.next(from);
	// As long as remembered runs stand in the way, and they are bounded.
	while (due !== undefined && wasRun(due)) due = times?.next(due);
	return due ?? null;
}

/** How many times from this one on have passed, up to the bound. */
export function countPassed(row: Planned, timetable: Timetable, first: number, now: number): number {
	if ("at" in row.when) return 1;
	const times = timetable.cron(row.when.cron, row.timezone);
	let count = 0;
	for (let due: number | undefined = first; due !== undefined && due <= now && count < MAX_COUNTED_MISSES; due = times?.next(due))
		count += 1;
	return count;
}

/** One item for all that was missed, until somebody decides: the first of the times, and how many they are. */
export function joinMissed(before: Missed | undefined, { due, count, reason }: Omit<Missed, "since">, now: number): Missed {
	if (before === undefined) return { due, count, reason, since: now };
	return { ...before, count: Math.min(before.count + count, MAX_COUNTED_MISSES), reason };
}
