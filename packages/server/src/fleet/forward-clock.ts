import type { Clock } from "../core/kernel/clock.ts";

/**
 * The clock in which commands expire here. It never goes back, so that an expired command stays expired when somebody sets the clock; and it jumps ahead
 * with the wall clock, because the monotonic one stands still while a laptop sleeps.
 */
export function createForwardClock(clock: Pick<Clock, "now" | "elapsed">): () => number {
	let last = { value: clock.now(), at: clock.elapsed() };
	return () => {
		const at = clock.elapsed();
		last = { value: Math.max(clock.now(), last.value + (at - last.at)), at };
		return Math.floor(last.value);
	};
}
