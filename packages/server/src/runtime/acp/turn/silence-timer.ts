import type { Cancel, Clock } from "../../../core/kernel/clock.ts";

/** The first word about silence; agents retry a failed model call for minutes without one. */
const SILENT_AFTER_MS = 20_000;
const AGAIN_AFTER_MS = 60_000;

/** Speaks up when an agent has said nothing for a while, and again every minute; waiting for a tool or a person is no silence. */
export function createSilenceTimer(deps: { clock: Clock; isWaiting(): boolean; notice(seconds: number): void }) {
	const { clock } = deps;
	let heardAt = clock.elapsed();
	let dueMs = SILENT_AFTER_MS;
	let cancel: Cancel = arm();

	function arm(): Cancel {
		return clock.after(Math.max(1, heardAt + dueMs - clock.elapsed()), check);
	}

	// One long timer that looks at the last word, instead of a new timer for each of a hundred pieces a second.
	function check(): void {
		if (deps.isWaiting()) touch();
		else if (clock.elapsed() - heardAt >= dueMs) {
			deps.notice(Math.round(dueMs / 1_000));
			dueMs += AGAIN_AFTER_MS;
		}
		cancel = arm();
	}

	function touch(): void {
		heardAt = clock.elapsed();
		dueMs = SILENT_AFTER_MS;
	}

	return { touch, stop: () => cancel() };
}
