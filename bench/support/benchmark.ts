/** What one measurement found, as a ratio to a limit measured in the same run on the same machine. */
export interface Row {
	name: string;
	unit: string;
	ours: number;
	/** The best anyone could do here: the same without us. */
	limit: number;
	/** ours / limit. */
	ratio: number;
	/** The largest ratio that is good enough. */
	goal: number;
	pass: boolean;
	/** Spread of our measurements (largest minus smallest, over the median): how much to trust the row. */
	noise: number;
}

export interface BenchmarkOptions {
	/** Fewer rounds: enough to see that it runs, not to quote a number. */
	quick: boolean;
}

export interface Benchmark {
	name: string;
	run(options: BenchmarkOptions): Promise<Row[]>;
}

/** A row from repeated measurements; the medians count. */
export function row(input: { name: string; unit: string; ours: number[]; limit: number[]; goal: number }): Row {
	const ours = median(input.ours);
	const limit = median(input.limit);
	const ratio = ours / limit;
	const noise = (Math.max(...input.ours) - Math.min(...input.ours)) / ours;
	return { name: input.name, unit: input.unit, ours, limit, ratio, goal: input.goal, pass: ratio <= input.goal, noise };
}

export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	const upper = sorted[middle];
	if (upper === undefined) throw new Error("No measurements");
	const lower = sorted[middle - 1] ?? upper;
	return sorted.length % 2 === 1 ? upper : (lower + upper) / 2;
}
