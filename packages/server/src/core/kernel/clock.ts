/** Time, as everything in core sees it; tests use a clock they move by hand. */
export interface Clock {
	/** Milliseconds since 1970: for dates. Jumps when the machine's clock is set. */
	now(): number;
	/** Milliseconds from any beginning that never jump: for how long something took or may take. */
	elapsed(): number;
	/** Calls `run` once after `delayMs`; the result cancels it. */
	after(delayMs: number, run: () => void): Cancel;
	/** Calls `run` once after the current burst of work; the result cancels it. */
	soon(run: () => void): Cancel;
}
/** Cancels a timer; twice, or after it ran, is fine. */
export type Cancel = () => void;

/** The real one. */
export const systemClock: Clock = {
	now: () => Date.now(),
	elapsed: () => performance.now(),
	after(delayMs, run) {
		const timer = setTimeout(run, delayMs);
		return () => clearTimeout(timer);
	},
	soon(run) {
		const handle = setImmediate(run);
		return () => clearImmediate(handle);
	},
};

/** Milliseconds since 1970 as everybody outside gets them. */
export const isoTime = (ms: number) => new Date(ms).toISOString();
