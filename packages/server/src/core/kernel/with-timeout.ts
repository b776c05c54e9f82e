import type { Clock } from "./clock.ts";

export interface Timeout {
	clock: Clock;
	ms: number;
	/** Made when the time is up. */
	late: () => Error;
	/** Ends the wait at once, with its reason. */
	gone?: AbortSignal;
}

/** Waits for `work`, but never longer than the timeout: requests to a dead or frozen process stay pending for ever. */
export function withTimeout<T>(work: Promise<T>, timeout: Timeout): Promise<T> {
	return new Promise<T>((resolve, reject) => {
		const onGone = () => settle(() => reject(timeout.gone?.reason));
		const cancel = timeout.clock.after(timeout.ms, () => settle(() => reject(timeout.late())));
		function settle(deliver: () => void) {
			cancel();
			timeout.gone?.removeEventListener("abort", onGone);
			deliver();
		}
		work.then(
			(value) => settle(() => resolve(value)),
			(error: unknown) => settle(() => reject(error)),
		);
		if (timeout.gone?.aborted) onGone();
		else timeout.gone?.addEventListener("abort", onGone, { once: true });
	});
}

/** False when the work was still going on after this time. Throws what the work throws in that time. */
export function settlesInTime(clock: Clock, timeoutMs: number, work: Promise<unknown>): Promise<boolean> {
	return new Promise((resolve, reject) => {
		const cancel = clock.after(timeoutMs, () => resolve(false));
		work.then(() => resolve(true), reject).finally(cancel);
	});
}
