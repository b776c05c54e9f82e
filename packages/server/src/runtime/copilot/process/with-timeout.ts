import type { Clock } from "../../../core/kernel/clock.ts";

export interface Limit {
	clock: Clock;
	ms: number;
	/** Made when the time is up. */
	late: () => Error;
	/** Ends the wait at once, with its reason. */
	gone?: AbortSignal;
}

/** Waits for `work`, but never longer than the limit: requests to a dead or frozen runtime stay pending for ever. */
export function within<T>(work: Promise<T>, limit: Limit): Promise<T> {
	return new Promise<T>((resolve, reject) => {
		const onGone = () => settle(() => reject(limit.gone?.reason));
		const cancel = limit.clock.after(limit.ms, () => settle(() => reject(limit.late())));
		const settle = (deliver: () => void) => {
			cancel();
			limit.gone?.removeEventListener("abort", onGone);
			deliver();
		};
		work.then(
			(value) => settle(() => resolve(value)),
			(error: unknown) => settle(() => reject(error)),
		);
		if (limit.gone?.aborted) onGone();
		else limit.gone?.addEventListener("abort", onGone, { once: true });
	});
}
