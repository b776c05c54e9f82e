import { isStorageRefusal, RETRY_MS } from "../../../core/active/storage-retry.ts";
import type { Cancel, Clock } from "../../../core/kernel/clock.ts";

/** Small pieces of work, in order. While the disk refuses one, it and those behind it wait; any other error costs that piece only. */
export interface PatientWork {
	run(work: () => void): void;
	close(): void;
}

export function createPatientWork(deps: { clock: Clock; onError: (error: unknown) => void }): PatientWork {
	let waiting: (() => void)[] = [];
	let cancel: Cancel = () => undefined;

	function run(work: () => void): void {
		if (waiting.length > 0) {
			waiting.push(work);
			return;
		}
		try {
			work();
		} catch (error) {
			if (isStorageRefusal(error)) {
				waiting.push(work);
				cancel = deps.clock.after(RETRY_MS, again);
			} else deps.onError(error);
		}
	}
	function again(): void {
		const works = waiting;
		waiting = [];
		for (const work of works) run(work);
	}

	return {
		run,
		close() {
			cancel();
			waiting = [];
		},
	};
}
