/** A source of chance that gives the same numbers for the same seed, so that a round can be repeated. */
export interface Random {
	/** 0 up to, and without, 1. */
	next(): number;
	/** A whole number from `from` to `to`, both included. */
	between(from: number, to: number): number;
	pick<T>(items: readonly T[]): T;
	/** `count` different items. */
	some<T>(items: readonly T[], count: number): T[];
}

export function createRandom(seed: number): Random {
	let state = seed >>> 0;
	const next = () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
	const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
	return {
		next,
		between,
		pick(items) {
			const item = items[between(0, items.length - 1)];
			if (item === undefined) throw new Error("Nothing to pick from");
			return item;
		},
		some(items, count) {
			const left = [...items];
			return Array.from({ length: Math.min(count, left.length) }, () => left.splice(between(0, left.length - 1), 1)).flat();
		},
	};
}
