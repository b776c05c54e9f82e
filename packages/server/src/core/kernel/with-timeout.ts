import type { Clock } from "./clock.ts";

/** Waits for the work, but not longer than this: false when it was still going on. Throws what the work throws in that time. */
export function withTimeout(clock: Clock, limitMs: number, work: Promise<unknown>): Promise<boolean> {
	return new Promise((resolve, reject) => {
		const cancel = clock.after(limitMs, () => resolve(false));
		work.then(() => resolve(true), reject).finally(cancel);
	});
}
