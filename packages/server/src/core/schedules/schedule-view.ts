import type { Schedule } from "@rightseat/protocol/http/schedules";
import { isoTime } from "../kernel/clock.ts";
import type { RunRow, ScheduleRow } from "../ports/schedule-store.ts";

/** A schedule as everybody sees it. */
export function scheduleView(row: ScheduleRow, last: RunRow | undefined): Schedule {
	const { id, prompt, when, timezone, where, paused, missed } = row;
	return {
		...{ id, prompt, timezone, paused },
		...("at" in when ? { at: isoTime(when.at) } : { cron: when.cron }),
		...where,
		state: row.gone ? "conversation-gone" : paused ? "paused" : row.nextRun === null ? "done" : "waiting",
		nextRun: row.nextRun === null ? null : isoTime(row.nextRun),
		...(last === undefined ? {} : { lastRun: isoTime(last.claimedAt), lastResult: resultOf(last) }),
		...(missed === undefined ? {} : { missed: { ...missed, due: isoTime(missed.due), since: isoTime(missed.since) } }),
		createdAt: isoTime(row.createdAt),
	};
}

const resultOf = ({ outcome, conversationId, messageId, error }: RunRow): NonNullable<Schedule["lastResult"]> => ({
	outcome,
	...(conversationId === null ? {} : { conversationId }),
	...(messageId === null ? {} : { messageId }),
	...(error === null ? {} : { error }),
});
