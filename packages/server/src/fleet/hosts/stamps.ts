/** By which others tell what this host said later from what it said before. */
export interface Stamps {
	/** Higher than each before it. */
	next(): number;
	/** An earlier run has used this one. */
	used(stamp: number): void;
}

/** By this host's clock, and never back with it: others would take everything for old until the clock has caught up. */
export function createStamps(now: () => number): Stamps {
	let last = 0;
	return {
		next() {
			last = Math.max(Math.floor(now()), last + 1);
			return last;
		},
		used(stamp) {
			last = Math.max(last, stamp);
		},
	};
}
