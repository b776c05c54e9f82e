/** Time as the page sees it; tests move it by hand. */
export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	/** Calls `run` once after `delayMs`; the result cancels it. */
	after(delayMs: number, run: () => void): () => void;
}

export const browserClock: Clock = {
	now: () => Date.now(),
	after(delayMs, run) {
		const timer = setTimeout(run, delayMs);
		return () => clearTimeout(timer);
	},
};
