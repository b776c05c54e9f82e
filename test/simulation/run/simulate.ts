import { makePlan } from "../frame/plan.ts";
import { play } from "../frame/play.ts";
import { sweepScratch } from "../frame/scratch.ts";
import { mutantsText } from "./mutants-table.ts";
import { chosenParts, HELP, type Options, readOptions } from "./options.ts";
import { INTERRUPTED, playAll } from "./play-all.ts";
import { playMutants } from "./play-mutants.ts";
import { resultsText, summary, writeMutants, writeResults } from "./report.ts";
import { type FailedRound, hashOf, neverHappened, partsOf, type Rounds } from "./rounds.ts";
import { shrink } from "./shrink.ts";

const options = optionsOrEnd();
if (options.help) console.log(HELP);
else if (options.mutants) process.exitCode = await mutants(options);
else process.exitCode = await (options.replay === undefined ? main(options) : replay(options.replay));

async function main({ rounds, docs }: Options): Promise<number> {
	const startedAt = performance.now();
	const { total, isInterrupted } = await playAll(options, { tell: (line) => void (options.json || console.log(line)) });
	// Of workers that were killed.
	sweepScratch();
	const seconds = (performance.now() - startedAt) / 1_000;
	const isWhole = total.rounds === rounds;
	if (docs && !isWhole) console.error("Not written into docs/simulation.md: these are not all of the rounds.");
	if (docs && isWhole) writeResults(resultsText(total, { ...options, seconds }));
	if (options.json) {
		const { hashes: _, ...rest } = total;
		console.log(JSON.stringify({ seed: options.seed, seconds: Math.round(seconds), hash: hashOf(total), ...rest }));
	} else tell(total, { seconds, isInterrupted });
	if (options.shrinks && !options.json && !isInterrupted) for (const { seed } of total.failed.slice(0, 1)) await tellShrunk(seed);
	const missing = total.failed.length > 0 || !isWhole ? [] : neverHappened(total, chosenParts(options));
	if (missing.length > 0) console.error(`Never happened: ${missing.join(", ")}`);
	if (total.failed.length + missing.length > 0) return 1;
	return isInterrupted ? INTERRUPTED : 0;
}

async function mutants({ seed, mutant: only, docs }: Options): Promise<number> {
	const verdicts = await playMutants(seed, only, ({ mutant, verdict, invariant, rounds }) =>
		console.log(`${verdict.padEnd(9)} ${mutant.area}: ${mutant.name}${verdict === "noticed" ? ` (${invariant}, round ${rounds})` : ""}`),
	);
	const noticed = verdicts.filter(({ verdict }) => verdict === "noticed").length;
	console.log(`${noticed} of ${verdicts.length} mutants noticed`);
	if (docs) writeMutants((before) => mutantsText(before, verdicts, seed));
	return noticed === verdicts.length ? 0 : 1;
}

function tell(total: Rounds, { seconds, isInterrupted }: { seconds: number; isInterrupted: boolean }): void {
	if (options.counts)
		for (const [what, times] of Object.entries(total.counts).sort(([a], [b]) => a.localeCompare(b)))
			console.log(`${String(times).padStart(9)} ${what}`);
	console.log(`${summary(total, seconds)}, trace ${hashOf(total)}`);
	if (isInterrupted) console.log(`Ended before its time: ${total.rounds} of ${options.rounds} rounds were played.`);
	if (total.failed.length === 0) console.log(`No promise was broken, seed ${options.seed}.`);
	for (const failed of total.failed) tellFailed(failed);
}

function tellFailed({ seed, invariant, detail, trace }: FailedRound): void {
	console.error(`\nBROKEN: ${invariant}\n${detail}\n\nThe last of what happened:\n${trace.join("\n")}`);
	console.error(`\nPlay it again: npm run simulate -- --replay ${seed}`);
}

async function tellShrunk(seed: number): Promise<void> {
	const parts = partsOf(seed, chosenParts(options));
	const { plan, played, tries } = await shrink(makePlan(seed, parts), parts);
	console.error(
		`\nThe shortest plan that still breaks it, after ${tries} tries: ${played.violation?.invariant}: ${played.violation?.detail}`,
	);
	for (const { part, kind, a, b, c, waitMs, at } of plan.steps) console.error(`  #${at} ${part}: ${kind} ${a} ${b} ${c} +${waitMs} ms`);
	console.error(`\n${played.violation?.trace.join("\n")}`);
}

async function replay(seed: number): Promise<number> {
	const parts = partsOf(seed, chosenParts(options));
	const plan = makePlan(seed, parts);
	const played = await play(plan, parts, { keepsTrace: true });
	console.log(played.trace.join("\n"));
	console.log(`seed ${seed}, ${played.steps} steps, trace ${played.hash}`);
	if (played.violation === undefined) return 0;
	console.error(`BROKEN: ${played.violation.invariant}\n${played.violation.detail}`);
	if (options.shrinks) await tellShrunk(seed);
	return 1;
}

function optionsOrEnd(): Options {
	try {
		return readOptions(process.argv.slice(2));
	} catch (error) {
		console.error(`${error instanceof Error ? error.message : String(error)}\n--help tells the options.`);
		return process.exit(2);
	}
}
