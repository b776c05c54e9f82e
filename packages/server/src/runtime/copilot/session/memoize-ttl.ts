import type { Clock } from "../../../core/kernel/clock.ts";

/** Shares one call among all who ask at the same time, and its result for a while; a failure is not remembered. */
export function memoizeTtl<T>(keptMs: (answer: T) => number, clock: Clock, ask: () => Promise<T>): () => Promise<T> {
	let kept: { answer: Promise<T>; until: number } | undefined;
	return () => {
		if (kept !== undefined && clock.elapsed() < kept.until) return kept.answer;
		const entry = { answer: ask(), until: Number.POSITIVE_INFINITY };
		kept = entry;
		entry.answer.then(
			(answer) => {
				entry.until = clock.elapsed() + keptMs(answer);
			},
			() => {
				if (kept === entry) kept = undefined;
			},
		);
		return entry.answer;
	};
}
