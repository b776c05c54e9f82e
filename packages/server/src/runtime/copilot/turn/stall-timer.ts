import type { Params } from "@rightseat/protocol/model/params";
import type { Cancel, Clock } from "../../../core/kernel/clock.ts";

export const STALL_AFTER_MS = 60_000;

/** Speaks up when nothing came from the model for a minute, and every minute after: the runtime itself waits for ten. */
export function createStallTimer(deps: { clock: Clock; isWaiting(): boolean; notice(message: string, params: Params): void }) {
	const { clock } = deps;
	let lastAt = clock.elapsed();
	let silentMinutes = 0;
	let cancel: Cancel | undefined;
	let stopped = false;

	// One long timer that looks at the last event, instead of a new timer for each of a hundred deltas a second.
	function check() {
		cancel = undefined;
		const silentMs = clock.elapsed() - lastAt;
		if (deps.isWaiting()) {
			lastAt = clock.elapsed();
			silentMinutes = 0;
		} else if (silentMs >= STALL_AFTER_MS * (silentMinutes + 1)) {
			silentMinutes += 1;
			const seconds = (silentMinutes * STALL_AFTER_MS) / 1000;
			deps.notice(`No word from the model for ${seconds} s. Wait, or stop and send the message again.`, { seconds });
		}
		arm();
	}
	function arm() {
		const dueAt = lastAt + STALL_AFTER_MS * (silentMinutes + 1);
		cancel = clock.after(Math.max(1, dueAt - clock.elapsed()), check);
	}
	return {
		touch() {
			lastAt = clock.elapsed();
			silentMinutes = 0;
			// What a turn still waited for may settle after it; a timer that is armed then would live for ever.
			if (cancel === undefined && !stopped) arm();
		},
		stop() {
			stopped = true;
			cancel?.();
			cancel = undefined;
		},
	};
}
