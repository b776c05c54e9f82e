import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plot } from "./plot.ts";
import type { Results } from "./results.ts";
import { markdownTable } from "./table.ts";

const DOCS = join(import.meta.dirname, "..", "..", "docs");
const BEGIN = "<!-- written by npm run bench -- --docs: begin -->";
const END = "<!-- end -->";

/** Puts a run into docs/performance.md, between its two marks, and the plots beside it. */
export function writeDocs(results: Results, folder = DOCS): void {
	const file = join(folder, "performance.md");
	mkdirSync(join(folder, "images"), { recursive: true });
	for (const series of seriesOf(results)) writeFileSync(join(folder, "images", `bench-${series.name}.svg`), plot(series));
	writeFileSync(file, replaceBetween(readFileSync(file, "utf8"), describe(results)));
}

function replaceBetween(text: string, content: string): string {
	const [before, rest] = text.split(BEGIN);
	const after = rest?.split(END)[1];
	if (before === undefined || after === undefined) throw new Error(`docs/performance.md has lost its marks ${BEGIN} and ${END}.`);
	return `${before}${BEGIN}\n\n${content}\n\n${END}${after}`;
}

function describe(results: Results): string {
	const { cpu, cores, memoryGb, system, node, load } = results.machine;
	const form = results.quick ? "short form" : "long form";
	return [
		`Measured on ${results.at.slice(0, 10)} (${form}): ${cpu}, ${cores} cores, ${memoryGb} GB, ${system}, Node ${node.slice(1)}, load ${load} before the run.`,
		...results.benchmarks.map(({ name, rows, failure }) => `### ${name}\n\n${failure === undefined ? markdownTable(rows) : failure}`),
		...seriesOf(results).map((series) => `![${series.title}](images/bench-${series.name}.svg)`),
	].join("\n\n");
}

const seriesOf = (results: Results) => results.benchmarks.flatMap(({ series = [] }) => series);
