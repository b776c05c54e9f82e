import type { Row } from "./row.ts";

export interface BenchmarkOptions {
	/** Few rounds and small inputs: enough to notice that something became several times slower, not to quote a number. */
	quick: boolean;
	/** Only where the time goes: no rows. */
	profile: boolean;
}

/** Where the time of one thing goes, such as a token or a load: a line for each part, the largest first. */
export interface Profile {
	title: string;
	unit: string;
	lines: { what: string; value: number }[];
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
	profiles?: Profile[];
}

/** One file of this folder. It runs in a process of its own, so that nothing it leaves behind slows the next one. */
export interface Benchmark {
	name: string;
	/** Left out of the short form. */
	longOnly?: boolean;
	/** False where a program that it needs is missing: then it is left out. */
	canRun?: boolean;
	/** It can say where the time goes. */
	profiled?: boolean;
	run(options: BenchmarkOptions): Promise<Measured>;
}
