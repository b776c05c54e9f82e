import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArguments, USAGE } from "./arguments.ts";
import { writeDocs } from "./docs.ts";
import { describeMachine } from "./machine.ts";
import { exitCodeOf, type Results, writeResults } from "./results.ts";
import { type Ran, runApart } from "./run-apart.ts";
import { textTable } from "./table.ts";

const options = parseArguments(process.argv.slice(2));
if (options === undefined) {
	console.error(USAGE);
	process.exit(2);
}
const { quick } = options;
const folder = process.env.RIGHTSEAT_BENCH_FOLDER ?? join(import.meta.dirname, "..");
const names = readdirSync(folder)
	.filter((file) => file.endsWith(".ts"))
	.map((file) => file.slice(0, -".ts".length))
	.filter((name) => options.only.length === 0 || options.only.some((part) => name.includes(part)))
	.sort();
if (names.length === 0) {
	console.error(`No benchmark has ${options.only.join(" or ")} in its name.\n${USAGE}`);
	process.exit(2);
}

const results: Results = { version: 1, at: new Date().toISOString(), quick, machine: describeMachine(), benchmarks: [] };
for (const name of names) {
	process.stderr.write(`${name} … `);
	const found = await measure(join(folder, `${name}.ts`));
	if (found === undefined) {
		process.stderr.write("only in the long form\n");
		continue;
	}
	process.stderr.write(`${found.failure === undefined ? "" : `failed: ${found.failure} `}${found.seconds} s\n`);
	results.benchmarks.push({ name, ...found });
}

console.log(textTable(results.benchmarks.flatMap(({ rows }) => rows)));
for (const { name, failure } of results.benchmarks) if (failure !== undefined) console.log(`${name} failed: ${failure}`);
writeResults(join(folder, "results.json"), results);
if (options.docs) writeDocs(results);
process.exitCode = exitCodeOf(results.benchmarks);

/** A moment in which the machine had other things to do must not look like a regression: in the short form a miss is measured again. */
async function measure(file: string): Promise<Ran | undefined> {
	const found = await runApart(file, { quick });
	if (!quick || found === undefined || exitCodeOf([{ name: file, ...found }]) === 0) return found;
	process.stderr.write("missed, once more … ");
	return await runApart(file, { quick });
}
