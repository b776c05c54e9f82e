import { cpus, totalmem } from "node:os";
import { writeBetweenMarks } from "./report.ts";
import { afterWarmUp, type Sample, type Slope } from "./slopes.ts";
import type { SoakOptions } from "./soak-options.ts";

export interface SoakRound {
	fault: string;
	findings: string[];
}

export interface SoakResult extends Pick<SoakOptions, "hours" | "seed"> {
	samples: Sample[];
	rounds: SoakRound[];
	slopes: Slope[];
}

const UNITS: Record<Slope["name"], string> = {
	megabytes: "memory of the server, MB",
	descriptors: "open descriptors of the server",
	processes: "processes",
	diskMegabytes: "home directory without kept outputs, MB",
};

export function writeSoakReport(result: SoakResult): void {
	writeBetweenMarks("soak: written by npm run soak -- --docs", "end of soak", soakSummary(result));
}

export function soakSummary({ hours, seed, samples, rounds, slopes }: SoakResult): string {
	const broken = rounds.filter((round) => round.findings.length > 0);
	const late = afterWarmUp(samples);
	return [
		`Command: \`npm run soak -- --hours ${hours} --seed ${seed} --docs\`, on ${cpus().length} cores with ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}.`,
		"",
		`${rounds.length} minutes with one fault each (${new Set(rounds.map((round) => round.fault)).size} kinds). Minutes with a broken promise: ${broken.length}. The first ${late[0]?.minute ?? 0} minutes are warming up and not counted below.`,
		...broken.map((round) => `\n* ${round.fault}: ${round.findings.join(" ")}`),
		"",
		"| what | first | last | growth an hour | limit | growth in all | noise | |",
		"|---|---|---|---|---|---|---|---|",
		...slopes.map(
			({ name, perHour, limit, grown, noise, flat }) =>
				`| ${UNITS[name]} | ${late[0]?.[name] ?? "–"} | ${late.at(-1)?.[name] ?? "–"} | ${perHour.toFixed(1)} | ${limit} | ${grown.toFixed(1)} | ${noise} | ${flat ? "flat" : "**rises**"} |`,
		),
		"",
		"What grew by less than its noise is called flat whatever its growth an hour: a short soak cannot tell it from chance.",
	].join("\n");
}
