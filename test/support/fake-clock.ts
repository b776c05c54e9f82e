import type { Clock } from "../../packages/server/src/core/kernel/clock.ts";
import type { FleetClock } from "../../packages/server/src/fleet/fleet-clock.ts";

/** A clock that stands still until a test moves it. */
export interface FakeClock extends FleetClock {
	/** Runs everything due within `ms`, in order of time, letting promises settle in between. */
	advance(ms: number): Promise<void>;
	/** Sets the date by so much; what waits or is measured is not concerned. */
	jump(ms: number): void;
	/** Lets promises and `soon` callbacks run without moving time. */
	settle(): Promise<void>;
	/** Timers that wait, `soon` callbacks included. */
	pending(): number;
}

interface Timer {
	dueAt: number;
	order: number;
	run: () => void;
}

export function createFakeClock(startAt = Date.UTC(2026, 0, 1)): FakeClock {
	let time = startAt;
	let jumpedMs = 0;
	let order = 0;
	const timers = new Set<Timer>();
	const soon = new Set<() => void>();

	const settle = async () => {
		await nextTick();
		while (soon.size > 0) {
			for (const run of [...soon]) if (soon.delete(run)) run();
			await nextTick();
		}
	};

	const takeNext = (until: number): Timer | undefined => {
		let next: Timer | undefined;
		for (const timer of timers) {
			if (timer.dueAt <= until && (next === undefined || isBefore(timer, next))) next = timer;
		}
		if (next !== undefined) timers.delete(next);
		return next;
	};

	return {
		now: () => time + jumpedMs,
		elapsed: () => time,
		sinceBoot: () => time,
		after(delayMs, run) {
			order += 1;
			const timer = { dueAt: time + Math.max(0, delayMs), order, run };
			timers.add(timer);
			return () => timers.delete(timer);
		},
		soon(run) {
			// A function of its own: the same callback may be asked for twice.
			const once = () => run();
			soon.add(once);
			return () => soon.delete(once);
		},
		async advance(ms) {
			const until = time + ms;
			await settle();
			for (let timer = takeNext(until); timer !== undefined; timer = takeNext(until)) {
				time = Math.max(time, timer.dueAt);
				timer.run();
				await settle();
			}
			time = until;
		},
		settle,
		jump(ms) {
			jumpedMs += ms;
		},
		pending: () => timers.size + soon.size,
	};
}

/** The same clock until its process dies: what a dead one had planned never happens. */
export function mortal(clock: FakeClock): { clock: Clock; die(): void } {
	let dead = false;
	const alive = (run: () => void) => () => {
		if (!dead) run();
	};
	return {
		clock: { ...clock, after: (delayMs, run) => clock.after(delayMs, alive(run)), soon: (run) => clock.soon(alive(run)) },
		die() {
			dead = true;
		},
	};
}

const isBefore = (a: Timer, b: Timer) => a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.order < b.order);
const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve));
