import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { PARTS } from "../parts.ts";
import { type FailedRound, hashOf, type Rounds } from "./rounds.ts";

const PAGE = join(import.meta.dirname, "..", "..", "..", "docs", "simulation.md");

const thousands = (number: number) => Math.round(number).toLocaleString("en-US");

/** How far a run is. */
export function progressLine({ played, rounds, seconds }: { played: number; rounds: number; seconds: number }): string {
	const left = played === 0 ? "" : `, about ${timeOf((seconds / played) * (rounds - played))} to go`;
	return `${thousands(played)} of ${thousands(rounds)} rounds in ${timeOf(seconds)}${left}`;
}

/** A broken promise while others are still played: enough to play it again beside them. */
export const brokenLine = ({ seed, invariant, detail }: FailedRound) =>
	`BROKEN: ${invariant} in the round with the seed ${seed}: ${detail.split("\n", 1)[0]?.slice(0, 300)}`;

function timeOf(seconds: number): string {
	if (seconds < 90) return `${Math.round(seconds)} s`;
	return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}

/** What a run came to, in one line. */
export function summary({ rounds, steps, simulatedMs }: Rounds, seconds: number): string {
	const pace = `${((seconds * 1_000) / Math.max(1, rounds)).toFixed(1)} ms a round`;
	return `${rounds} rounds, ${steps} steps, ${(simulatedMs / 3_600_000).toFixed(1)} h of simulated time in ${seconds.toFixed(1)} s, ${pace}`;
}

/** What the published run says. */
export function resultsText(
	total: Rounds,
	run: { rounds: number; seed: number; workers: number; seconds: number; only?: readonly string[]; skip?: readonly string[] },
	{ commit = commitNow(), date = new Date() } = {},
): string {
	const kinds = PARTS.flatMap(({ name, kinds: own }) => own.flatMap((kind) => (kind.isFault ? [`${name}: ${kind.name}`] : [])));
	const times = (what: string) => total.counts[what] ?? 0;
	const faults = kinds.reduce((sum, kind) => sum + times(kind), 0);
	const states = PARTS.flatMap(({ covers }) => covers).map((what) => `| ${what} | ${thousands(times(what))} |`);
	const parts = Object.entries({ only: run.only, skip: run.skip }).map(([name, all = []]) =>
		all.length > 0 ? ` --${name} ${all.join()}` : "",
	);
	const broken = total.failed.length === 0 ? "no promise broken" : `${total.failed.length} with a broken promise`;
	return `Result: ${thousands(total.rounds)} rounds, ${thousands(total.steps)} steps, ${thousands(faults)} of them faults, ${broken}.

| | |
|---|---|
| command | \`npm run simulate -- --rounds ${run.rounds} --seed ${run.seed} --workers ${run.workers}${parts.join("")} --docs\` |
| date | ${date.toISOString().slice(0, 10)} |
| commit | ${commit} |
| machine | ${cpus().length} cores with ${Math.round(totalmem() / 1024 ** 3)} GiB, Node ${process.version} |
| seed | ${run.seed} |
| rounds | ${thousands(total.rounds)} |
| steps | ${thousands(total.steps)} |
| simulated time | ${thousands(total.simulatedMs / 3_600_000)} h |
| time | ${timeOf(run.seconds)}, ${((run.seconds * 1_000) / Math.max(1, total.rounds)).toFixed(1)} ms a round with ${run.workers} processes |
| trace of all rounds | \`${hashOf(total)}\` |
${total.failed.map(({ seed, invariant }) => `| broken | \`${invariant}\` in the round with the seed ${seed} |\n`).join("")}
| fault | times |
|---|---|
${kinds.map((kind) => `| ${kind} | ${thousands(times(kind))} |`).join("\n")}

| what happened on the way | times |
|---|---|
${states.join("\n")}
`;
}

/** The source that was played, and whether it is that of a commit. */
function commitNow(): string {
	const git = (...args: string[]) => spawnSync("git", args, { cwd: dirname(PAGE), encoding: "utf8" });
	const { status, stdout } = git("rev-parse", "--short=12", "HEAD");
	if (status !== 0) return "unknown";
	return `\`${stdout.trim()}\`${git("status", "--porcelain", "--untracked-files=no").stdout.trim() === "" ? "" : ", with changes"}`;
}

export const writeResults = (text: string) => write("results", () => text);
/** What stands there is given, so that a part of it can stay. */
export const writeMutants = (textAfter: (before: string) => string) => write("mutants", textAfter);

/** Between its two marks; the rest of the page is written by people. */
function write(name: string, textAfter: (before: string) => string): void {
	const page = readFileSync(PAGE, "utf8");
	const [begin, end] = [`<!-- ${name}: written by`, `<!-- end of ${name} -->`];
	const from = page.indexOf("\n", page.indexOf(begin)) + 1;
	const to = page.indexOf(end);
	if (from <= 0 || to < from) throw new Error(`docs/simulation.md has no place for ${name}.`);
	writeFileSync(PAGE, page.slice(0, from) + textAfter(page.slice(from, to)) + page.slice(to));
}
