import type { Cancel, Clock } from "../../core/clock.ts";

export const PING_EVERY_MS = 1_000;
/** Together with the interval below the five seconds within which a frozen runtime must be noticed. */
export const PING_LIMIT_MS = 3_000;
/** A timer this late means that this process itself was held up, so a missing answer says nothing about the runtime. */
const OWN_DELAY_MS = 1_000;

/** Pings for as long as the runtime lives. Calls `onDeath` at most once. */
export function watchPings(deps: { ping(): Promise<unknown>; lastSignAt(): number; clock: Clock; onDeath(because: string): void }): Cancel {
	const { clock } = deps;
	let over = false;
	let cancelTimer: Cancel = () => undefined;

	const end = (because: string) => {
		if (over) return;
		stop();
		deps.onDeath(because);
	};
	const stop = () => {
		over = true;
		cancelTimer();
	};
	const later = () => {
		if (!over) cancelTimer = clock.after(PING_EVERY_MS, probe);
	};
	function probe() {
		let settled = false;
		const askedAt = clock.elapsed();
		cancelTimer = clock.after(PING_LIMIT_MS, () => {
			const late = clock.elapsed() - askedAt - PING_LIMIT_MS > OWN_DELAY_MS;
			// The answer may lie in the pipe, unread because this process was busy.
			cancelTimer = clock.soon(() => {
				if (settled || over) return;
				settled = true;
				if (late || deps.lastSignAt() > askedAt) probe();
				else end(`no answer for ${PING_LIMIT_MS / 1000} s`);
			});
		});
		deps.ping().then(
			() => {
				if (settled || over) return;
				settled = true;
				cancelTimer();
				later();
			},
			() => {
				if (settled) return;
				settled = true;
				end("its process ended");
			},
		);
	}
	later();
	return stop;
}
