/** Measurements of us and of the limit, taken in turn so that a busy moment of the machine meets both. */
export interface Pairs {
	ours: number[];
	limit: number[];
}

export const createPairs = (): Pairs => ({ ours: [], limit: [] });

/** Measures the limit and us in turn, `rounds` times. */
export async function interleave(
	rounds: number,
	measure: { limit: () => Promise<number> | number; ours: () => Promise<number> | number },
): Promise<Pairs> {
	const pairs = createPairs();
	for (let round = 0; round < rounds; round += 1) {
		pairs.limit.push(await measure.limit());
		pairs.ours.push(await measure.ours());
	}
	return pairs;
}

/** Milliseconds that `work` took. */
export async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
	const begin = performance.now();
	await work();
	return performance.now() - begin;
}
