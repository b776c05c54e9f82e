import type { Clock } from "../core/kernel/clock.ts";
import { killMarked, killMarkedNow } from "./marked-processes.ts";
import { markerPrefixOf } from "./markers.ts";

/** At the start of a server: ends what agents of an earlier one of the same home left behind. What was started with `run` is ours. */
export function killLeftAgents(home: string, run: string, clock: Clock): Promise<number> {
	const prefix = markerPrefixOf(home);
	return killMarked(clock, (marker) => marker.startsWith(prefix) && !marker.startsWith(run));
}

/** When a server ends at once, without closing anything: what it can still do about its agents. */
export function killAgentsNow(home: string): number {
	const prefix = markerPrefixOf(home);
	return killMarkedNow((marker) => marker.startsWith(prefix));
}
