import { pathToFileURL } from "node:url";
import type { Benchmark, BenchmarkOptions } from "./benchmark.ts";

const [file = "", given = "{}"] = process.argv.slice(2);
const options: BenchmarkOptions = JSON.parse(given);
const { benchmark }: { benchmark: Benchmark } = await import(pathToFileURL(file).href);

/** What a benchmark left open must not keep the run waiting. */
function handBack(answer: unknown) {
	process.send?.(answer, () => process.exit());
}

const isLeftOut = (options.quick && benchmark.longOnly === true) || (options.profile && benchmark.profiled !== true);
if (isLeftOut || benchmark.canRun === false) handBack("left-out");
else
	benchmark.run(options).then(handBack, (error: unknown) => {
		console.error(error);
		handBack({ failure: error instanceof Error ? error.message : String(error) });
	});
