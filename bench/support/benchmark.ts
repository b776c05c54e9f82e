import type { Row } from "./row.ts";

export interface BenchmarkOptions {
	/** Few rounds and small inputs: enough to notice that something became several times slower, not to quote a number. */
	quick: boolean;
}

/** How a cost grows: one plot, with a line per thing measured. */
export interface Series {
	/** Also the name of the plot's file. */
	name: string;
	title: string;
	x: string;
	y: string;
	lines: { label: string; points: [x: number, y: number][] }[];
}

export interface Measured {
	rows: Row[];
	series?: Series[];
}

/** One file of this folder. It runs in a process of its own, so that nothing it leaves behind slows the next one. */
export interface Benchmark {
	name: string;
	/** Left out of the short form. */
	longOnly?: boolean;
	/** False where a program that it needs is missing: then it is left out. */
	canRun?: boolean;
	run(options: BenchmarkOptions): Promise<Measured>;
}
