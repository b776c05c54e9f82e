import type { MissedReason } from "@rightseat/protocol/http/schedules";
import type { Conversations } from "../conversations/conversations.ts";
import type { Cancel, Clock } from "../kernel/clock.ts";
import type { Logger } from "../kernel/logger.ts";
import type { ScheduleRow, ScheduleStore } from "../ports/schedule-store.ts";
import type { Timetable } from "../ports/timetable.ts";
import { createClockRuns, LATE_MS } from "./clock-runs.ts";
import { countPassed, nextDue } from "./plan.ts";
import type { RunResults } from "./run-results.ts";
import type { Runs } from "./runs.ts";

/** The clock is looked at so often at least: it may have been set. */
const MAX_WAIT_MS = 30_000;
/** While something could not be stored. */
const RETRY_MS = 1_000;

/** Waits for the times of schedules, and sees to it that each is run once, or told as missed. */
export interface ScheduleClock {
	/** What became due while nobody was here is missed, however short ago; then the waiting begins. */
	start(timetable: Timetable): void;
	/** Something is planned differently; before the first schedule there was nothing to wait for. */
	rearm(timetable?: Timetable): void;
	stop(): void;
	/** The time after this moment, as it would be planned. */
	plan(row: ScheduleRow, timetable: Timetable, after: number): number | null;
}

export function createScheduleClock(deps: {
	store: ScheduleStore;
	runs: Runs;
	results: RunResults;
	conversations: Pick<Conversations, "find">;
	clock: Clock;
	logger: Logger;
	/** Something of this schedule looks different now. */
	changed(): void;
}): ScheduleClock {
	const { store, runs, clock } = deps;
	const { send, miss, lookAtClaimed } = createClockRuns({ ...deps, ended: () => wait() });
	let timetable: Timetable | undefined;
	let cancel: Cancel = () => undefined;
	let isStopped = false;
	let isSettled = false;

	function plan(row: ScheduleRow, times: Timetable, after: number): number | null {
		const wasRun = (due: number) => {
			const run = store.findRun(row.id, String(due));
			return run !== undefined && run.outcome !== "failed";
		};
		return nextDue(row, times, after, wasRun);
	}
	/** Why a time that has come is not used, if so. */
	function obstacle(row: ScheduleRow, lateMs: number, allowedMs: number): MissedReason | undefined {
		if (lateMs > allowedMs) return "server-off";
		const last = store.lastRun(row.id);
		const isWaiting = last !== undefined && deps.results.current(last).outcome === "queued";
		return isWaiting || runs.isSending(row) ? "still-waiting" : undefined;
	}
	function lookAt(given: ScheduleRow, times: Timetable, allowedMs: number): void {
		const now = clock.now();
		let row = given;
		if (now < row.plannedAt) {
			// The clock was set back: what it let pass comes again, except for what has run.
			row = { ...row, nextRun: plan(row, times, now), plannedAt: now };
			store.update(row.id, { nextRun: row.nextRun, plannedAt: now });
			deps.changed();
		}
		const due = row.nextRun;
		if (due === null || due > now) return;
		const planned = { nextRun: plan(row, times, now), plannedAt: now };
		const reason = obstacle(row, now - due, allowedMs);
		if (reason !== undefined) miss(row, { due, count: countPassed(row, times, due, now), reason }, planned);
		else if (runs.claim(row, { key: String(due), due }, planned)) send(row.id, String(due));
		deps.changed();
	}

	/** What became of conversations and runs while nobody was here. */
	function settleEarlier(): void {
		for (const { id, where, gone } of store.list()) {
			const isGone = "conversationId" in where && deps.conversations.find(where.conversationId) === undefined;
			if (isGone && !gone) store.update(id, { gone: true, nextRun: null, missed: undefined });
		}
		deps.results.settleAll();
		isSettled = true;
	}

	/** True: something was refused, and is to be tried again soon. */
	function look(times: Timetable, isStart: boolean): boolean {
		let isRefused = false;
		const attempt = (work: () => void) => {
			try {
				work();
			} catch (error) {
				isRefused = true;
				deps.logger.warn({ err: error }, "A schedule could not be looked at; trying again");
			}
		};
		if (!isSettled) attempt(settleEarlier);
		for (const run of store.openRuns()) if (run.outcome === "starting") attempt(() => lookAtClaimed(run, isStart));
		for (const row of store.listDue(clock.now())) attempt(() => lookAt(row, times, isStart ? -1 : LATE_MS));
		return isRefused;
	}
	function waitMs(): number | undefined {
		const isHalfway = store.openRuns().some((run) => run.outcome === "starting" && !runs.isSending({ id: run.scheduleId }));
		if (isHalfway) return RETRY_MS;
		const time = store.nextTime();
		return time === undefined ? undefined : Math.min(MAX_WAIT_MS, Math.max(0, time - clock.now()));
	}
	/** Looks, if so wanted, and waits for what comes next; at once only for a time that has come, never for what failed just now. */
	function wait(looking?: "at-start" | "now"): void {
		cancel();
		if (isStopped || timetable === undefined) return;
		let ms: number | undefined = RETRY_MS;
		try {
			const isRefused = looking !== undefined && look(timetable, looking === "at-start");
			if (!isRefused) ms = waitMs();
		} catch (error) {
			deps.logger.warn({ err: error }, "The schedules could not be read; trying again");
		}
		if (ms !== undefined) cancel = clock.after(ms, () => wait("now"));
	}

	return {
		plan,
		start(given) {
			timetable = given;
			wait("at-start");
		},
		rearm(given) {
			timetable ??= given;
			wait();
		},
		stop() {
			isStopped = true;
			cancel();
		},
	};
}
