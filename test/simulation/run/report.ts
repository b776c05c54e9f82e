import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { PARTS } from "../parts.ts";
import type { MutantVerdict } from "./play-mutants.ts";
import type { Rounds } from "./rounds.ts";

const PAGE = join(import.meta.dirname, "..", "..", "..", "docs", "simulation.md");

/** What the published run says. */
export function resultsText(total: Rounds, run: { rounds: number; seed: number; workers: number; seconds: number }): string {
	const machine = `${cpus().length} cores with ${Math.round(totalmem() / 1024 ** 3)} GiB, Node ${process.version}`;
	const kinds = PARTS.flatMap(({ name, kinds: own }) => own.flatMap((kind) => (kind.isFault ? [`${name}: ${kind.name}`] : [])));
	const times = (what: string) => total.counts[what] ?? 0;
	const faults = kinds.reduce((sum, kind) => sum + times(kind), 0);
	const states = PARTS.flatMap(({ covers }) => covers).map((what) => `| ${what} | ${times(what)} |`);
	return `Command: \`npm run simulate -- --rounds ${run.rounds} --seed ${run.seed} --workers ${run.workers} --docs\`, ${new Date().toISOString().slice(0, 10)}, on ${machine}.

${total.rounds} rounds, ${total.steps} steps, ${faults} of them faults, ${Math.round(total.simulatedMs / 3_600_000)} h of simulated time in ${Math.round(run.seconds)} s. Broken promises: ${total.failed.length}. Trace \`${total.hash}\`.

| fault | times |
|---|---|
${kinds.map((kind) => `| ${kind} | ${times(kind)} |`).join("\n")}

| what happened on the way | times |
|---|---|
${states.join("\n")}
`;
}

/** Which mutants were noticed, by which promise and how soon. */
export function mutantsText(verdicts: readonly MutantVerdict[], seed: number): string {
	const survived = verdicts.filter(({ verdict }) => verdict === "survived").length;
	const rows = verdicts.map(
		({ mutant, verdict, invariant, rounds }) =>
			`| ${mutant.area} | ${mutant.name} | \`${mutant.file}\` | ${verdict === "noticed" ? `\`${invariant}\` | ${rounds}` : `${verdict} | `} |`,
	);
	return `Command: \`npm run simulate -- --mutants --seed ${seed} --docs\`, ${new Date().toISOString().slice(0, 10)}. ${verdicts.length - survived} of ${verdicts.length} noticed.

| area | mutant | file | noticed by | round |
|---|---|---|---|---|
${rows.join("\n")}
`;
}

export const writeResults = (text: string) => write("results", text);
export const writeMutants = (text: string) => write("mutants", text);

/** Between its two marks; the rest of the page is written by people. */
function write(name: string, text: string): void {
	const page = readFileSync(PAGE, "utf8");
	const [begin, end] = [`<!-- ${name}: written by`, `<!-- end of ${name} -->`];
	const from = page.indexOf("\n", page.indexOf(begin)) + 1;
	const to = page.indexOf(end);
	if (from <= 0 || to < from) throw new Error(`docs/simulation.md has no place for ${name}.`);
	writeFileSync(PAGE, page.slice(0, from) + text + page.slice(to));
}
