import type { Random } from "../random.ts";
import type { Stage } from "./stage.ts";

/** One of the thirty faults of a fleet. */
export interface FleetFault {
	readonly number: number;
	/** What breaks, in a few words. */
	readonly breaks: string;
	readonly expected: string;
	/** Parts of it that are not played, with the reason; they count as nothing. */
	readonly notPlayed?: string;
	/** Breaks and mends it. What is checked after every fault is checked then; undefined: none of it is played. */
	readonly play?: (stage: Stage, random: Random) => Promise<void>;
}
