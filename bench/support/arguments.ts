import { readThird, type Third } from "./thirds.ts";

export interface BenchArguments {
	help: true | undefined;
	quick: boolean;
	docs: boolean;
	/** Only where the time goes, of those that can say it. */
	profile: boolean;
	/** Only the benchmark of a growing fleet, whose tables and plots go into docs/scale.md. */
	fleetScale: true | undefined;
	/** A third of the benchmarks, so that runs of the tests measure them by turns. */
	third: Third | undefined;
	/** Parts of names; empty: everything. */
	only: string[];
}

export const USAGE = `Usage: npm run bench -- [--quick] [--only NAME]... [--third 0|1|2] [--profile NAME] [--docs] [--fleet-scale]
  --quick         short form: few rounds, goals four times wider
  --only NAME     only benchmarks whose name contains NAME
  --third 0|1|2   every third benchmark
  --profile NAME  only where the time goes, of benchmarks whose name contains NAME
  --docs          write the results and plots into docs/performance.md
  --fleet-scale   only what a growing fleet costs, and write it into docs/scale.md
  --help          this text`;

/** Undefined when something in it is not understood. */
export function parseArguments(given: readonly string[]): BenchArguments | undefined {
	const found: BenchArguments = {
		help: undefined,
		quick: false,
		docs: false,
		profile: false,
		fleetScale: undefined,
		third: undefined,
		only: [],
	};
	for (let index = 0; index < given.length; index += 1) {
		const argument = given[index];
		if (argument === "--quick") found.quick = true;
		else if (argument === "--help") found.help = true;
		else if (argument === "--docs") found.docs = true;
		else if (argument === "--fleet-scale") {
			found.fleetScale = true;
			found.only.push("fleet-scale");
		} else if (argument === "--third") {
			index += 1;
			found.third = readThird(given[index]);
			if (found.third === undefined) return undefined;
		} else if (argument === "--only" || argument === "--profile") {
			found.profile ||= argument === "--profile";
			index += 1;
			const name = given[index];
			if (name === undefined || name.startsWith("--")) return undefined;
			found.only.push(...name.split(","));
		} else return undefined;
	}
	return found;
}
