import type { FleetClock } from "./fleet-clock.ts";

/**
 * The clock in which commands expire here. It never goes back, so that an expired command stays expired when somebody sets the clock; and it jumps ahead
 * with the wall clock and with the one since the machine's start, because the monotonic one stands still while a laptop sleeps.
 */
export function createForwardClock(clock: Pick<FleetClock, "now" | "elapsed" | "sinceBoot">): () => number {
	const at = (value: number) => ({ value, elapsed: clock.elapsed(), sinceBoot: clock.sinceBoot() });
	let known = at(clock.now());
	let latest = known.value;
	return () => {
		const wall = clock.now();
		// Counted from one moment until the date is ahead of it: the clock since the start is coarse, and its jumps would add up.
		const counted = known.value + Math.max(clock.elapsed() - known.elapsed, clock.sinceBoot() - known.sinceBoot);
		if (wall > counted) known = at(wall);
		latest = Math.max(latest, counted, wall);
		return Math.floor(latest);
	};
}
