/** Numbers that look random and are the same for the same seed: a failed round can be played again. */
export interface Random {
	below(limit: number): number;
	chance(probability: number): boolean;
	pick<T>(list: readonly [T, ...T[]]): T;
	/** Each with even chances; may be empty. */
	some<T>(list: readonly T[]): T[];
}

export function createRandom(seed: number): Random {
	let state = (seed ^ 0x9e3779b9) >>> 0;
	const next = () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	const below = (limit: number) => Math.floor(next() * limit);
	return {
		below,
		chance: (probability) => next() < probability,
		pick: (list) => list[below(list.length)] ?? list[0],
		some: (list) => list.filter(() => next() < 0.5),
	};
}
