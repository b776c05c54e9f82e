import type { BytePath, PathState } from "../model.ts";

/** One path of a plan: what was seen there, and what it shall be. Journals keep it, so that after a crash the disk can be compared with both. */
export interface PlanEntry {
	readonly path: BytePath;
	readonly expected: PathState;
	readonly target: PathState;
	/** Names beside the path that only this undo uses, for what comes and for what goes. */
	readonly fresh: string;
	readonly aside: string;
	/** Written where it is: other names stand for the same file, or it has attributes that a new file would not have. */
	readonly inPlace: boolean;
	/** Gets a file of its own, even if only its bits change: other names of the same file shall be something else. */
	readonly apart: boolean;
}

/** The same path in the other direction. */
export const reversed = (entry: PlanEntry): PlanEntry => ({ ...entry, expected: entry.target, target: entry.expected });
