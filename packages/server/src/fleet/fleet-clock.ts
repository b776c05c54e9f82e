import { uptime } from "node:os";
import type { Clock } from "../core/kernel/clock.ts";

/** Time for what must be over when a machine wakes, because another host has taken it over meanwhile. */
export interface FleetClock extends Clock {
	/**
	 * Milliseconds since the machine was started. Goes on while it sleeps, which `elapsed` does not everywhere, and does not jump when its date is set.
	 * Coarse: whole seconds on some systems.
	 */
	sinceBoot(): number;
}

export const withBoot = (clock: Clock): FleetClock => ({ ...clock, sinceBoot: () => uptime() * 1_000 });
