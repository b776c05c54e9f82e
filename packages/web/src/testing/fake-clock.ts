import type { Clock } from "../connection/clock.ts";

export interface FakeClock extends Clock {
	/** Moves time and runs what falls due, in order. */
	advance(ms: number): void;
	/** How many timers wait. */
	pending(): number;
}

export function createFakeClock(startMs = 1_800_000_000_000): FakeClock {
	let now = startMs;
	let nextId = 0;
	const timers = new Map<number, { at: number; run: () => void }>();
	return {
		now: () => now,
		after(delayMs, run) {
			const id = nextId++;
			timers.set(id, { at: now + delayMs, run });
			return () => void timers.delete(id);
		},
		advance(ms) {
			const end = now + ms;
			for (;;) {
				let due: [number, { at: number; run: () => void }] | undefined;
				for (const entry of timers) if (entry[1].at <= end && (due === undefined || entry[1].at < due[1].at)) due = entry;
				if (due === undefined) break;
				timers.delete(due[0]);
				now = Math.max(now, due[1].at);
				due[1].run();
			}
			now = end;
		},
		pending: () => timers.size,
	};
}
