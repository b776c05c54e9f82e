import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { FAULTS } from "./faults.ts";
import type { RoundResult } from "./round.ts";

const PAGE = join(import.meta.dirname, "..", "..", "docs", "reliability.md");

export interface ReportOptions {
	rounds: number;
	seed: number;
	/** Whether the real page in a browser took part. */
	browser: boolean;
	/** Of what kind the small disk was; see `Disk`. */
	disk: string;
	/** Faults that this machine does not permit, with the reason. */
	left: string[];
}

/** Puts the outcome of a run into docs/reliability.md, between its marks. */
export function writeReport(results: RoundResult[], options: ReportOptions): void {
	writeBetweenMarks("results: written by npm run faults -- --docs", "end of results", summary(results, options));
}

/** Replaces what stands between the two comments in docs/reliability.md; read and written at once, as two runs may end together. */
export function writeBetweenMarks(beginning: string, ending: string, text: string): void {
	const page = readFileSync(PAGE, "utf8");
	const [begin, end] = [`<!-- ${beginning} -->`, `<!-- ${ending} -->`];
	const [before = "", rest] = page.split(begin);
	if (rest === undefined) throw new Error(`docs/reliability.md has lost its mark ${begin}.`);
	writeFileSync(PAGE, `${before}${begin}\n${text}\n${end}${rest.split(end)[1] ?? ""}`);
}

export function summary(results: RoundResult[], options: ReportOptions): string {
	const rows = FAULTS.flatMap((fault) => {
		const rounds = results.filter((result) => result.faults.includes(fault.name));
		if (rounds.length === 0) return [];
		const bad = rounds.filter((result) => result.findings.length > 0).length;
		return `| ${fault.name} | ${fault.breaks} | ${rounds.length} | ${bad === 0 ? "none" : bad} |`;
	});
	const injected = results.reduce((sum, result) => sum + result.faults.length, 0);
	const sent = results.reduce((sum, result) => sum + result.prompts + result.commands, 0);
	const failed = results.filter((result) => result.findings.length > 0);
	return [
		`Command: \`npm run faults -- --rounds ${options.rounds} --seed ${options.seed}${options.browser ? "" : " --no-browser"} --docs\`, on ${cpus().length} cores with ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}.`,
		"",
		`${results.length} rounds, ${injected} faults injected, ${sent} prompts and commands sent. Rounds with a broken promise: ${failed.length}.`,
		`The server's home lay on a small disk of its own (${options.disk}). ${options.left.length === 0 ? "No fault was left out." : `Left out: ${options.left.join("; ")}.`}`,
		"",
		"| fault | what breaks | rounds | broken promises |",
		"|---|---|---|---|",
		...rows,
	].join("\n");
}
