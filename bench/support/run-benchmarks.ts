import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArguments, USAGE } from "./arguments.ts";
import { bundlePrograms } from "./bundle.ts";
import { writeDocs, writeScaleDocs } from "./docs.ts";
import { describeMachine } from "./machine.ts";
import { exitCodeOf, type Results, writeResults } from "./results.ts";
import { type Ran, runApart } from "./run-apart.ts";
import { profileText, textTable } from "./table.ts";
import { longestFirst, thirdOf } from "./thirds.ts";

/** Begun first in the short form, the longest first of all, because it should not end with one of them alone. */
const LONG = [
	...["slow-disk", "relay-added", "fan-out", "page-stream", "page-diff", "cli-ask", "page-load", "search"],
	...["fleet-catch-up", "relay", "changes-record", "agent-pipe", "page-long"],
];

/** What is measured side by side in the short form, whose goals are wide enough for that. */
const LANES_OF_SHORT_FORM = 3;

/** What our benchmarks start beside themselves. */
const STARTED = ["model-process", "relay-ours", "relay-bare", "relay-pipe", "relay-sdk", "fleet/host-process"];

const options = parseArguments(process.argv.slice(2));
if (options === undefined) {
	console.error(USAGE);
	process.exit(2);
}
const { quick, profile } = options;
if (options.help) {
	console.log(USAGE);
	process.exit(0);
}
const folder = process.env.RIGHTSEAT_BENCH_FOLDER ?? join(import.meta.dirname, "..");
const found = readdirSync(folder)
	.filter((file) => file.endsWith(".ts"))
	.map((file) => file.slice(0, -".ts".length))
	.filter((name) => options.only.length === 0 || options.only.some((part) => name.includes(part)))
	.sort();
const names = thirdOf(found, options.third, LONG);
if (names.length === 0) {
	console.error(`No benchmark has ${options.only.join(" or ")} in its name.\n${USAGE}`);
	process.exit(2);
}

const support = process.env.RIGHTSEAT_BENCH_FOLDER === undefined ? ["run-one", ...STARTED] : ["run-one"];
const removeBundle = await bundlePrograms([
	...support.map((name) => join(import.meta.dirname, `${name}.ts`)),
	...names.map((name) => join(folder, `${name}.ts`)),
]);
process.once("exit", removeBundle);

const results: Results = { version: 1, at: new Date().toISOString(), quick, machine: describeMachine(), benchmarks: await measureAll() };

if (!profile) console.log(textTable(results.benchmarks.flatMap(({ rows }) => rows)));
for (const found of results.benchmarks.flatMap(({ profiles = [] }) => profiles)) console.log(`\n${profileText(found)}`);
for (const { name, failure } of results.benchmarks) if (failure !== undefined) console.log(`${name} failed: ${failure}`);
writeResults(join(folder, "results.json"), results);
if (options.docs) writeDocs(results);
if (options.fleetScale) writeScaleDocs(results);
process.exitCode = exitCodeOf(results.benchmarks);

/** One after another; in the short form three at a time, and what missed beside another one is measured once more alone: a moment in which the machine had other things to do must not look like a regression. */
async function measureAll(): Promise<Results["benchmarks"]> {
	const measured = new Map<string, Ran>();
	const waiting = quick ? longestFirst(names, LONG) : [...names];
	const lane = async () => {
		for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await measure(name);
	};
	async function measure(name: string): Promise<void> {
		const ran = await runApart(join(folder, `${name}.ts`), { quick, profile });
		if (ran !== undefined) measured.set(name, ran);
		process.stderr.write(`${name}: ${saidOf(ran)}\n`);
	}
	await Promise.all(Array.from({ length: quick ? LANES_OF_SHORT_FORM : 1 }, lane));
	if (quick) for (const [name, ran] of measured) if (exitCodeOf([{ name, ...ran }]) !== 0) await measure(name);
	return names.flatMap((name) => {
		const ran = measured.get(name);
		return ran === undefined ? [] : [{ name, ...ran }];
	});
}

function saidOf(ran: Ran | undefined): string {
	if (ran === undefined) return "left out: it is only in the long form, or a program that it needs is not here";
	if (ran.failure !== undefined) return `failed after ${ran.seconds} s: ${ran.failure}`;
	return `${ran.rows.every(({ pass }) => pass) ? "" : "missed its goal, "}${ran.seconds} s`;
}
