import type { MissedReason } from "@rightseat/protocol/http/schedules";
import type { Clock } from "../kernel/clock.ts";
import { toAppError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Missed, RunRow, ScheduleRow, ScheduleStore } from "../ports/schedule-store.ts";
import { joinMissed } from "./plan.ts";
import type { RunResults } from "./run-results.ts";
import { errorOf, isPassing, type Runs } from "./runs.ts";

/** A run that is later than this was missed: the machine slept, its clock was set, or the disk refused. */
export const LATE_MS = 60_000;

/** Runs that nobody waits for: what goes wrong is told with the schedule. */
export interface ClockRuns {
	/** Sends the prompt of a claimed run. */
	send(id: ScheduleRow["id"], key: string): void;
	/** Claimed, and not known to be sent, by a process that died or while the disk refused: sent again, or missed. */
	lookAtClaimed(run: RunRow, isStart: boolean): void;
	miss(row: ScheduleRow, missed: Omit<Missed, "since">, patch: Partial<ScheduleRow>): void;
}

export function createClockRuns(deps: {
	store: ScheduleStore;
	runs: Runs;
	results: Pick<RunResults, "current">;
	clock: Clock;
	logger: Logger;
	/** Something of this schedule looks different now. */
	changed(): void;
	/** A run was sent, or is to be tried again. */
	ended(): void;
}): ClockRuns {
	const { store, runs, clock } = deps;

	function miss(row: ScheduleRow, missed: Omit<Missed, "since">, patch: Partial<ScheduleRow>): void {
		store.update(row.id, { missed: joinMissed(row.missed, missed, clock.now()), ...patch });
		deps.changed();
	}
	/** What changes in a schedule whose run came to nothing; one that only a person wanted is no time that was missed. */
	function missedBy(row: ScheduleRow, { due }: RunRow, reason: MissedReason): Partial<ScheduleRow> {
		return due === null ? {} : { missed: joinMissed(row.missed, { due, count: 1, reason }, clock.now()) };
	}
	function notBegun(id: ScheduleRow["id"], key: string, error: unknown): void {
		const row = store.find(id);
		const run = store.findRun(id, key);
		if (row === undefined || run === undefined || isPassing(error)) return;
		const known = toAppError(error);
		const isGone = "conversationId" in row.where && (known.code === "conversation-not-found" || known.code === "conversation-closing");
		runs.fail(run, errorOf(known), isGone ? { gone: true, nextRun: null, missed: undefined } : missedBy(row, run, "failed"));
	}
	function send(id: ScheduleRow["id"], key: string): void {
		const row = store.find(id);
		if (row === undefined) return;
		runs
			.send(row, key, "clock")
			.catch((error: unknown) => notBegun(id, key, error))
			.catch((error: unknown) => deps.logger.error({ err: error, scheduleId: id }, "What became of a scheduled prompt could not be stored"))
			.finally(() => {
				deps.changed();
				deps.ended();
			});
	}

	return {
		send,
		miss,
		lookAtClaimed(run, isStart) {
			const row = store.find(run.scheduleId);
			if (row === undefined || runs.isSending(row) || deps.results.current(run).outcome !== "starting") return;
			if (!isStart && run.due !== null && clock.now() - run.claimedAt <= LATE_MS) {
				send(row.id, run.key);
				return;
			}
			const error = { code: "interrupted", message: "The server was stopped before this was sent." };
			runs.fail(run, error, missedBy(row, run, "server-off"));
			deps.changed();
		},
	};
}
