import { cpus, totalmem } from "node:os";
import { writeBetweenMarks } from "./report.ts";
import { afterWarmUp, type Limit, type Measure, type Sample, type Slope } from "./slopes.ts";
import type { SoakOptions } from "./soak-options.ts";

export interface SoakRound {
	fault: string;
	findings: string[];
}

export interface SoakResult extends Pick<SoakOptions, "hours" | "seed"> {
	begunAt: string;
	samples: Sample[];
	rounds: SoakRound[];
	slopes: Slope[];
}

const UNITS: Record<Measure, string> = {
	serverMegabytes: "server, MB",
	serverDescriptors: "server, open descriptors",
	runtimeMegabytes: "agent runtime, MB",
	runtimeDescriptors: "agent runtime, open descriptors",
	shellMegabytes: "shell process, MB",
	shellDescriptors: "shell process, open descriptors",
	recorderMegabytes: "recorder of changes, MB",
	recorderDescriptors: "recorder of changes, open descriptors",
	processes: "processes, the server and all below it",
	databaseMegabytes: "database, MB",
	walMegabytes: "its write-ahead file, MB",
	keptMegabytes: "kept outputs of commands, MB",
	otherMegabytes: "the rest of the home directory, MB",
};

export function writeSoakReport(result: SoakResult): void {
	writeBetweenMarks("soak: written by npm run soak -- --docs", "end of soak", soakSummary(result));
}

export function soakSummary({ hours, seed, begunAt, samples, rounds, slopes }: SoakResult): string {
	const broken = rounds.filter((round) => round.findings.length > 0);
	const late = afterWarmUp(samples);
	const minutes = Math.round(samples.at(-1)?.minute ?? 0);
	const shownOf = (sample: Sample | undefined, name: Measure) => sample?.values[name] ?? "–";
	return [
		`Command: \`npm run soak -- --hours ${hours} --seed ${seed} --docs\`, begun on ${begunAt.slice(0, 10)}, on ${cpus().length} cores with ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}.`,
		"",
		`${rounds.length} rounds of one fault each (${new Set(rounds.map((round) => round.fault)).size} kinds) in ${minutes} minutes, at most one a minute. Rounds with a broken promise: ${broken.length}. The first ${Math.round(late[0]?.minute ?? 0)} minutes are warming up; growth is that of the ${late.length} looks after it.`,
		...broken.map((round) => `\n* ${round.fault}: ${round.findings.join(" ")}`),
		"",
		"| what | first | last | most | growth an hour | growth in all | limit | |",
		"|---|---|---|---|---|---|---|---|",
		...slopes.map(({ name, perHour, most, limit, grown, isGood }) => {
			const seen = [shownOf(late[0], name), shownOf(late.at(-1), name), most, perHour.toFixed(1), grown.toFixed(1)];
			return `| ${UNITS[name]} | ${seen.join(" | ")} | ${limitText(limit)} | ${isGood ? (limit.kind === "bound" ? "below" : "flat") : "**no**"} |`;
		}),
		"",
		"What grew by less than its noise is called flat whatever its growth an hour: a short soak cannot tell it from chance. Growth is compared within one process only, since one that a fault has ended begins anew. The agent runtime grows by itself with what it is asked; the server replaces it when it is larger than `RIGHTSEAT_RUNTIME_MEMORY_MB` (1,024), so it is judged by that bound.",
	].join("\n");
}

const limitText = (limit: Limit) =>
	limit.kind === "bound" ? `at most ${limit.most}` : `${limit.perHour} an hour, or ${limit.noise} in all (noise)`;
