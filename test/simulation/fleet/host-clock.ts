import type { Clock } from "../../../packages/server/src/core/kernel/clock.ts";
import type { FleetClock } from "../../../packages/server/src/fleet/fleet-clock.ts";
import { SimulatedDeath } from "../frame/engine.ts";

/** The clock of one run of a host: its date may be wrong and be set, the host may sleep or stand still, and what a dead one had planned never happens. */
export interface HostClock {
	clock: FleetClock;
	/** Sets the date by so much. */
	jump(ms: number): void;
	/** Asleep, its own measure of time stands still with it; frozen, it goes on without it. */
	pause(how: "asleep" | "frozen"): void;
	resume(): void;
	die(): void;
	isPaused(): boolean;
	isDead(): boolean;
	/** Something comes from outside: now, when it wakes, or never. */
	enter(run: () => void): void;
}

export function createHostClock(world: Clock, startsAheadMs: number): HostClock {
	let aheadMs = startsAheadMs;
	let sleptMs = 0;
	let paused: { how: "asleep" | "frozen"; at: number } | undefined;
	let isDead = false;
	let held: (() => void)[] = [];
	const elapsed = () => (paused?.how === "asleep" ? paused.at : world.elapsed()) - sleptMs;
	function enter(run: () => void): void {
		if (isDead) return;
		if (paused !== undefined) return void held.push(run);
		try {
			run();
		} catch (error) {
			// It died of it; whoever gave it the time goes on.
			if (!(error instanceof SimulatedDeath)) throw error;
		}
	}
	/** Again if it slept meanwhile: then not all of the time has passed for it. */
	function planned(dueAt: number, run: () => void): () => void {
		let cancel = world.after(Math.max(0, dueAt - elapsed()), function fire() {
			enter(() => {
				if (isCancelled) return;
				if (elapsed() >= dueAt) run();
				else cancel = world.after(dueAt - elapsed(), fire);
			});
		});
		let isCancelled = false;
		return () => {
			isCancelled = true;
			cancel();
		};
	}
	return {
		clock: {
			now: () => world.elapsed() + aheadMs,
			elapsed,
			sinceBoot: world.elapsed,
			after: (delayMs, run) => planned(elapsed() + Math.max(0, delayMs), run),
			soon: (run) => {
				let isCancelled = false;
				const cancel = world.soon(() => enter(() => void (isCancelled || run())));
				return () => {
					isCancelled = true;
					cancel();
				};
			},
		},
		jump(ms) {
			aheadMs += ms;
		},
		pause(how) {
			paused ??= { how, at: world.elapsed() };
		},
		resume() {
			if (paused?.how === "asleep") sleptMs += world.elapsed() - paused.at;
			paused = undefined;
			const waiting = held;
			held = [];
			// One after another, each with what follows from it, as a process that goes on reads what has come.
			for (const run of waiting) world.soon(() => enter(run));
		},
		die() {
			isDead = true;
			held = [];
		},
		isPaused: () => paused !== undefined,
		isDead: () => isDead,
		enter,
	};
}
