import type { Clock } from "../../../core/kernel/clock.ts";

/** A token bucket: its rate, and the burst that it allows. */
export const FRAMES_PER_SECOND = 50;
export const FRAME_BURST = 500;
/** So many refused frames within the window end the connection. */
export const REFUSED_BEFORE_CLOSE = 1_000;
/** So many frames that could not be understood within the window are answered; the next one ends the connection. */
export const BAD_FRAMES_BEFORE_CLOSE = 50;
export const GUARD_WINDOW_MS = 10_000;

export type FrameVerdict = "pass" | "refuse" | "close";

/** The rate limit on what one connection sends. */
export interface FrameGuard {
	/** Before a frame is read. */
	arrive(): FrameVerdict;
	/** After one could not be understood; false when it was one too many. */
	tolerate(): boolean;
}

export function createFrameGuard(clock: Clock): FrameGuard {
	let tokens = FRAME_BURST;
	let filledAt = clock.elapsed();
	const refused = createWindow(clock);
	const bad = createWindow(clock);
	return {
		arrive() {
			const now = clock.elapsed();
			tokens = Math.min(FRAME_BURST, tokens + ((now - filledAt) / 1000) * FRAMES_PER_SECOND);
			filledAt = now;
			if (tokens >= 1) {
				tokens -= 1;
				return "pass";
			}
			return refused.count() > REFUSED_BEFORE_CLOSE ? "close" : "refuse";
		},
		tolerate: () => bad.count() <= BAD_FRAMES_BEFORE_CLOSE,
	};
}

function createWindow(clock: Clock) {
	let startedAt = Number.NEGATIVE_INFINITY;
	let seen = 0;
	return {
		count() {
			if (clock.elapsed() - startedAt >= GUARD_WINDOW_MS) {
				startedAt = clock.elapsed();
				seen = 0;
			}
			seen += 1;
			return seen;
		},
	};
}
