import type { Cancel, Clock } from "../../../core/kernel/clock.ts";

/** Calls `onSilence` once when nothing came for `timeoutMs`. Only inbound frames restart the clock. */
export interface Heartbeat {
	restart(): void;
	stop(): void;
}

export function createHeartbeat(deps: { clock: Clock; timeoutMs: number; onSilence(): void }): Heartbeat {
	let lastInbound = deps.clock.elapsed();
	let cancel: Cancel = deps.clock.after(deps.timeoutMs, check);
	// One timer per connection, re-armed when it fires: a busy client would otherwise make a timer per frame.
	function check() {
		const left = lastInbound + deps.timeoutMs - deps.clock.elapsed();
		if (left <= 0) deps.onSilence();
		else cancel = deps.clock.after(left, check);
	}
	return {
		restart() {
			lastInbound = deps.clock.elapsed();
		},
		stop: () => cancel(),
	};
}
