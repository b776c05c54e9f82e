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
export type Cancel = () => void;

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

export const isoTime = (ms: number) => new Date(ms).toISOString();
