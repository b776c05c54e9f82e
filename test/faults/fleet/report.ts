import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FLEET_FAULTS } from "./faults.ts";
import type { FleetResult } from "./play.ts";

const PAGE = join(import.meta.dirname, "..", "..", "..", "docs", "fleet-proof.md");
const [BEGIN, END] = ["<!-- results: written by npm run faults -- --fleet --docs -->", "<!-- end of results -->"];

/** Puts the outcome of what was played into docs/fleet-proof.md; rows of what was not played this time stay. */
export function writeFleetReport(results: readonly FleetResult[], versions: Readonly<Record<string, string>>, date = new Date()): void {
	const page = existsSync(PAGE) ? readFileSync(PAGE, "utf8") : `${BEGIN}\n${END}\n`;
	const [before = "", rest = ""] = page.split(BEGIN);
	const [known = "", after = ""] = rest.split(END);
	const kept = new Map(
		known.split("\n").flatMap((line) => (/^\| (\d+) \|/.exec(line) === null ? [] : [[Number(line.split("|")[1]), line]])),
	);
	for (const [number, row] of rowsOf(results, versions, date)) kept.set(number, row);
	const rows = FLEET_FAULTS.flatMap(({ number }) => kept.get(number) ?? []);
	const head = ["| # | fault | expected | broken promises | measured | played |", "|---|---|---|---|---|---|"];
	writeFileSync(PAGE, `${before}${BEGIN}\n${[...head, ...rows].join("\n")}\n${END}${after}`);
}

/** One row for each fault that was asked for. */
export function rowsOf(results: readonly FleetResult[], versions: Readonly<Record<string, string>>, date: Date): [number, string][] {
	return FLEET_FAULTS.flatMap((fault): [number, string][] => {
		const rounds = results.filter(({ number }) => number === fault.number);
		if (rounds.length === 0) return [];
		const played = rounds.filter(({ notPlayed }) => notPlayed === undefined);
		const findings = [...new Set(rounds.flatMap((round) => round.findings))];
		const left = [
			...new Set([...(fault.notPlayed === undefined ? [] : [fault.notPlayed]), ...rounds.flatMap(({ notPlayed }) => notPlayed ?? [])]),
		];
		const cells = [
			...[fault.number, fault.breaks, fault.expected],
			played.length === 0 ? "not played" : findings.length === 0 ? "none" : findings.join(" "),
			[...(played.at(-1)?.measured ?? []), ...left.map((reason) => `**not played:** ${reason}`)].join("; "),
			played.length === 0
				? ""
				: `${date.toISOString().slice(0, 10)}, seed ${played.map(({ seed }) => seed).join(", ")}, NATS ${versions.nats}, Node ${versions.node}`,
		];
		return [[fault.number, `| ${cells.map((cell) => String(cell).replaceAll("|", "/")).join(" | ")} |`]];
	});
}
