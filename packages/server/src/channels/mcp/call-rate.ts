import type { Clock } from "../../core/kernel/clock.ts";

/** Calls of one token in a minute: plenty for work, too few to fill the audit log. */
export const MAX_CALLS_PER_MINUTE = 120;
const WINDOW_MS = 60_000;

/** Counts calls; there are no more entries than tokens that called within a minute. */
export function createCallRate(clock: Pick<Clock, "elapsed">): { take(owner: string): boolean } {
	const counts = new Map<string, { count: number; resetAt: number }>();
	return {
		take(owner) {
			for (const [key, { resetAt }] of counts) if (resetAt <= clock.elapsed()) counts.delete(key);
			const entry = counts.get(owner) ?? { count: 0, resetAt: clock.elapsed() + WINDOW_MS };
			counts.set(owner, entry);
			entry.count += 1;
			return entry.count <= MAX_CALLS_PER_MINUTE;
		},
	};
}
