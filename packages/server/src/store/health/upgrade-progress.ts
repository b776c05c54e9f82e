import type { Clock } from "../../core/kernel/clock.ts";

/** A database below this is upgraded in a second or two, and nobody is told. */
const TOLD_BYTES = 64 * 1024 * 1024;
/** So often at most it is said how far the upgrade is. */
const TELL_MS = 2_000;

/** Tells the person who started us why the start takes so long: an upgrade of a large database runs before anything else, for minutes. */
export interface UpgradeProgress {
	/** A step without a measure begins, over a database of this size. */
	step(what: string, bytes: number): void;
	/** So much of the longest step of the schema's upgrade is done, from 0 to 1; called often. */
	share(share: number): void;
	/** How long all of it took, if it was told at all. */
	end(): void;
}

export function createUpgradeProgress(clock: Pick<Clock, "elapsed">, tell: (sentence: string) => void): UpgradeProgress {
	const began = clock.elapsed();
	let isTold = false;
	let last = Number.NEGATIVE_INFINITY;
	return {
		step(what, bytes) {
			if (bytes < TOLD_BYTES) return;
			isTold = true;
			tell(`storage: ${what}, ${Math.round(bytes / 1_000_000)} MB`);
		},
		share(share) {
			if (!isTold || clock.elapsed() - last < TELL_MS) return;
			last = clock.elapsed();
			tell(`storage: upgrading, ${Math.floor(share * 100)} %`);
		},
		end() {
			if (isTold) tell(`storage: up to date after ${Math.ceil((clock.elapsed() - began) / 1_000)} s`);
		},
	};
}
