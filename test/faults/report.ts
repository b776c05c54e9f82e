import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { FAULTS } from "./faults.ts";
import type { JournalHead, RoundResult } from "./journal.ts";
import { roundName } from "./plan.ts";

/** Of what a failed round says in the document; its name plays it again. */
const MAX_FINDING_CHARS = 400;
const PAGE = join(import.meta.dirname, "..", "..", "docs", "reliability.md");

export type ReportHead = Omit<JournalHead, "plan">;

/** Puts the outcome of a run into docs/reliability.md, between its marks. */
export function writeReport(results: RoundResult[], head: ReportHead): void {
	writeBetweenMarks("results: written by npm run faults -- --docs", "end of results", summary(results, head));
}

/** Replaces what stands between the two comments in docs/reliability.md; read and written at once, as two runs may end together. */
export function writeBetweenMarks(beginning: string, ending: string, text: string): void {
	const page = readFileSync(PAGE, "utf8");
	const [begin, end] = [`<!-- ${beginning} -->`, `<!-- ${ending} -->`];
	const [before = "", rest] = page.split(begin);
	if (rest === undefined) throw new Error(`docs/reliability.md has lost its mark ${begin}.`);
	writeFileSync(PAGE, `${before}${begin}\n${text}\n${end}${rest.split(end)[1] ?? ""}`);
}

export function summary(all: RoundResult[], head: ReportHead): string {
	const results = all.filter((result) => result.faults.length > 0);
	const counts = FAULTS.flatMap((fault) => {
		const rounds = results.filter((result) => result.faults.includes(fault.name));
		return rounds.length === 0 ? [] : [{ fault, rounds: rounds.length, bad: rounds.filter((result) => result.findings.length > 0).length }];
	});
	const injected = results.reduce((sum, result) => sum + result.faults.length, 0);
	const sent = results.reduce((sum, result) => sum + result.prompts + result.commands, 0);
	const failed = all.filter((result) => result.findings.length > 0);
	const least = Math.min(...counts.map(({ rounds }) => rounds));
	const minutes = Math.round(results.reduce((sum, result) => sum + result.ms, 0) / 60_000);
	return [
		`Command: \`npm run faults -- --rounds ${head.rounds} --seed ${head.seed}${head.browser ? "" : " --no-browser"} --docs\`, begun on ${head.begunAt.slice(0, 10)}, on ${cpus().length} cores with ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}.`,
		"",
		`${results.length} rounds, ${injected} faults injected, ${sent} prompts and commands sent, ${minutes} minutes. Rounds with a broken promise: ${failed.length}.`,
		`${counts.length} faults, each in at least ${least} ${least === 1 ? "round" : "rounds"}. The server's home lay on a small disk of its own (${head.disk}). ${head.left.length === 0 ? "No fault was left out." : `Left out: ${head.left.join("; ")}.`}`,
		...failed.map(
			(result) => `\n* \`${roundName(result)}\`: ${result.findings.join(" ").replaceAll("\n", " ").slice(0, MAX_FINDING_CHARS)}`,
		),
		"",
		"| fault | what breaks | rounds | broken promises |",
		"|---|---|---|---|",
		...counts.map(({ fault, rounds, bad }) => `| ${fault.name} | ${fault.breaks} | ${rounds} | ${bad === 0 ? "none" : bad} |`),
	].join("\n");
}
