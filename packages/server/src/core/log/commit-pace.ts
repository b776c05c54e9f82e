import type { Clock } from "../kernel/clock.ts";

/** The longest rest after a group commit; below it the commits' own cost decides. */
export const MAX_COMMIT_GAP_MS = 50;
/** Rest that was had before it was owed, and counts. So the first words after a pause, and a few more, are stored without any. */
export const MAX_SAVED_REST_MS = 10;
/** A longer gap makes a larger commit, which would make a longer gap: up to here a reader does not feel it, from here on it grows slower. */
const UNFELT_GAP_MS = 5;

/** Throttles group commits so that storing never takes the main thread from the sockets. */
export interface CommitPace {
	/** A commit that began at this `elapsed()` has just ended. */
	ended(startedAt: number): void;
	/** Until the next commit may begin; not positive when it may now. */
	gapLeftMs(): number;
}

/**
 * The first commit may begin immediately. Every commit owes a rest, and any time without one pays: a rest after each of them would have to be a timer's
 * shortest, a millisecond or two, where a fraction of that was owed.
 */
export function createCommitPace(clock: Pick<Clock, "elapsed">): CommitPace {
	let lastEnd = clock.elapsed();
	let lastTookMs = 0;
	/** When the last commit ended; negative: saved. */
	let owedMs = -MAX_SAVED_REST_MS;
	return {
		ended(startedAt) {
			const before = Math.max(-MAX_SAVED_REST_MS, owedMs - (startedAt - lastEnd));
			lastEnd = clock.elapsed();
			const tookMs = lastEnd - startedAt;
			// A disk that stalls once has cost its time already; waiting as long again would double what readers feel.
			owedMs = Math.min(MAX_COMMIT_GAP_MS, before + gapAfter(Math.min(tookMs, lastTookMs)));
			lastTookMs = tookMs;
		},
		gapLeftMs: () => lastEnd + owedMs - clock.elapsed(),
	};
}

/** Storing gets an eighth of the event loop while commits are quick, and a fifth at most. */
function gapAfter(commitMs: number): number {
	return Math.min(7 * commitMs, Math.max(UNFELT_GAP_MS, 4 * commitMs));
}
