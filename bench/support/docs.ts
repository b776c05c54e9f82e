import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plot } from "./plot.ts";
import type { Results } from "./results.ts";
import { figure, markdownTable, profileMarkdown } from "./table.ts";

const DOCS = join(import.meta.dirname, "..", "..", "docs");
const BEGIN = "<!-- written by npm run bench -- --docs: begin -->";
const SCALE_BEGIN = "<!-- written by npm run bench -- --fleet-scale: begin -->";
const END = "<!-- end -->";

/** Puts a run into docs/performance.md, between its two marks, and the plots beside it. */
export function writeDocs(results: Results, folder = DOCS): void {
	write(results, folder, { file: "performance.md", begin: BEGIN, content: describe(results) });
}

/** Puts what a growing fleet costs into docs/scale.md: a column for every number of hosts. */
export function writeScaleDocs(results: Results, folder = DOCS): void {
	const rows = results.benchmarks.flatMap((each) => each.rows);
	const content = [machineOf(results), bySize(rows), plotsOf(results)].join("\n\n");
	write(results, folder, { file: "scale.md", begin: SCALE_BEGIN, content });
}

function write(results: Results, folder: string, { file, begin, content }: { file: string; begin: string; content: string }): void {
	const path = join(folder, file);
	mkdirSync(join(folder, "images"), { recursive: true });
	for (const series of seriesOf(results)) writeFileSync(join(folder, "images", `bench-${series.name}.svg`), plot(series));
	const [before, rest] = readFileSync(path, "utf8").split(begin);
	const [, ...after] = rest?.split(END) ?? [];
	if (before === undefined || after.length === 0) throw new Error(`docs/${file} has lost its marks ${begin} and ${END}.`);
	writeFileSync(path, `${before}${begin}\n\n${content}\n\n${END}${after.join(END)}`);
}

/** Rows are called "50 hosts: what". */
function bySize(rows: Results["benchmarks"][number]["rows"]): string {
	const cells = rows.map(({ name, unit, ours }) => {
		const [size = "", ...what] = name.split(": ");
		return { size, what: `${what.join(": ")}, ${unit}`, value: figure(ours) };
	});
	const [sizes, whats] = [[...new Set(cells.map(({ size }) => size))], [...new Set(cells.map(({ what }) => what))]];
	const lines = whats.map((what) => [
		what,
		...sizes.map((size) => cells.find((each) => each.what === what && each.size === size)?.value ?? "–"),
	]);
	return [["", ...sizes], sizes.map(() => "---:").toSpliced(0, 0, "---"), ...lines].map((line) => `| ${line.join(" | ")} |`).join("\n");
}

function describe(results: Results): string {
	return [
		machineOf(results),
		...results.benchmarks.flatMap(({ name, rows, failure, profiles = [] }) => [
			`### ${name}\n\n${failure === undefined ? markdownTable(rows) : failure}`,
			...profiles.map(profileMarkdown),
		]),
		plotsOf(results),
	]
		.filter((part) => part !== "")
		.join("\n\n");
}

function machineOf({ machine, quick, at }: Results): string {
	const { cpu, cores, memoryGb, system, node, load } = machine;
	const form = quick ? "short form" : "long form";
	return `Measured on ${at.slice(0, 10)} (${form}): ${cpu}, ${cores} cores, ${memoryGb} GB, ${system}, Node ${node.slice(1)}, load ${load} before the run.`;
}

const plotsOf = (results: Results) =>
	seriesOf(results)
		.map((series) => `![${series.title}](images/bench-${series.name}.svg)`)
		.join("\n\n");

const seriesOf = (results: Results) => results.benchmarks.flatMap(({ series = [] }) => series);
