import { cpus, loadavg, release, totalmem, type } from "node:os";

/** The machine that a result comes from: without it a number means nothing. */
export interface Machine {
	cpu: string;
	cores: number;
	memoryGb: number;
	system: string;
	node: string;
	/** Mean number of busy processes in the minute before the run; more than the cores means that others were at work too. */
	load: number;
}

export function describeMachine(): Machine {
	const all = cpus();
	return {
		cpu: all[0]?.model.trim() ?? "unknown",
		cores: all.length,
		memoryGb: Math.round(totalmem() / 2 ** 30),
		system: `${type()} ${release()} ${process.arch}`,
		node: process.version,
		load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
	};
}
