import type { Clock } from "../kernel/clock.ts";

/** Shortest and longest time between two group commits; in between a commit's own cost decides. */
export const MIN_COMMIT_GAP_MS = 1;
export const MAX_COMMIT_GAP_MS = 50;
/** A longer gap makes a larger commit, which would make a longer gap: up to here a reader does not feel it, from here on it grows slower. */
const UNFELT_GAP_MS = 5;

/** Throttles group commits so that storing never takes the main thread from the sockets. */
export interface CommitPace {
	/** A commit that began at this `elapsed()` has just ended. */
	ended(startedAt: number): void;
	/** Until the next commit may begin; not positive when it may now. */
	gapLeftMs(): number;
}

/** The first commit may begin immediately. */
export function createCommitPace(clock: Pick<Clock, "elapsed">): CommitPace {
	let lastEnd = 0;
	let lastTookMs = 0;
	let gapMs = MIN_COMMIT_GAP_MS;
	return {
		ended(startedAt) {
			lastEnd = clock.elapsed();
			const tookMs = lastEnd - startedAt;
			// A disk that stalls once has cost its time already; waiting as long again would double what readers feel.
			gapMs = Math.min(MAX_COMMIT_GAP_MS, Math.max(MIN_COMMIT_GAP_MS, gapAfter(Math.min(tookMs, lastTookMs))));
			lastTookMs = tookMs;
		},
		gapLeftMs: () => lastEnd + gapMs - clock.elapsed(),
	};
}

/** Storing gets an eighth of the event loop while commits are quick, and a fifth at most. */
function gapAfter(commitMs: number): number {
	return Math.min(7 * commitMs, Math.max(UNFELT_GAP_MS, 4 * commitMs));
}
