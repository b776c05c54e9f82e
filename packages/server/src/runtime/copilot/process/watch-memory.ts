import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import type { Vitals } from "./process-vitals.ts";

export const LOOK_EVERY_MS = 15_000;
/** A runtime that is large from the start must not be replaced over and over. */
export const REPLACE_EVERY_MS = 10 * 60_000;

export interface MemoryLimits {
	/** Above this the runtime is replaced by a fresh one; what runs on it ends in peace. */
	replaceAboveBytes: number;
	/** Above this it is ended with everything that runs on it, before the system ends something of its own choice. */
	endAboveBytes: number;
	/** The constants above, unless a test cannot wait for them. */
	lookEveryMs?: number;
	replaceEveryMs?: number;
}

export interface WatchMemoryDeps {
	limits: MemoryLimits;
	clock: Clock;
	vitals(): Promise<Vitals | undefined>;
	onLarge(rssBytes: number): void;
	onTooLarge(rssBytes: number): void;
}

/** Looks at the memory of the runtime for as long as it lives. */
export function watchMemory(deps: WatchMemoryDeps): Cancel {
	const { clock, limits } = deps;
	let over = false;
	let cancelTimer: Cancel = () => undefined;
	const startedAt = clock.elapsed();

	const later = () => {
		if (!over) cancelTimer = clock.after(limits.lookEveryMs ?? LOOK_EVERY_MS, () => void look());
	};
	async function look() {
		const found = await deps.vitals();
		if (over) return;
		if (found !== undefined && found.rssBytes > limits.endAboveBytes) return deps.onTooLarge(found.rssBytes);
		const due = clock.elapsed() - startedAt >= (limits.replaceEveryMs ?? REPLACE_EVERY_MS);
		if (due && found !== undefined && found.rssBytes > limits.replaceAboveBytes) deps.onLarge(found.rssBytes);
		later();
	}
	later();
	return () => {
		over = true;
		cancelTimer();
	};
}
