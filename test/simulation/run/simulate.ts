import { fork } from "node:child_process";
import { join } from "node:path";
import { makePlan } from "../frame/plan.ts";
import { play } from "../frame/play.ts";
import { chosenParts, HELP, type Options, readOptions } from "./options.ts";
import { playMutants } from "./play-mutants.ts";
import { mutantsText, resultsText, writeMutants, writeResults } from "./report.ts";
import { joined, neverHappened, noRounds, partsOf, type Rounds } from "./rounds.ts";
import { shrink } from "./shrink.ts";
import type { Work } from "./worker.ts";

const options = readOptions(process.argv.slice(2));
if (options.help) console.log(HELP);
else if (options.mutants) process.exitCode = await mutants(options);
else process.exitCode = await (options.replay === undefined ? main(options) : replay(options.replay));

async function main({ rounds, seed, workers, only, skip, batch }: Options): Promise<number> {
	const startedAt = performance.now();
	const batches = Array.from({ length: Math.ceil(rounds / batch) }, (_, at): Work => {
		const first = at * batch;
		return { seed, first, rounds: Math.min(batch, rounds - first), only, skip };
	});
	const results: Rounds[] = [];
	let next = 0;
	const take = () => (results.some(({ failed }) => failed.length > 0) ? undefined : batches[next]);
	await Promise.all(
		Array.from({ length: Math.min(workers, batches.length) }, async () => {
			const worker = startWorker();
			for (let work = take(); work !== undefined; work = take()) {
				const at = next++;
				results[at] = await worker.play(work);
				if (!options.json && (at + 1) % 10 === 0) console.log(`${(at + 1) * batch} of ${rounds} rounds`);
			}
			worker.end();
		}),
	);
	const total = results.filter((result) => result !== undefined).reduce(joined, noRounds());
	const seconds = (performance.now() - startedAt) / 1_000;
	if (options.docs) writeResults(resultsText(total, { ...options, seconds }));
	await tell(total, seconds);
	const missing = total.failed.length > 0 ? [] : neverHappened(total, chosenParts(options));
	if (missing.length > 0) console.error(`Never happened: ${missing.join(", ")}`);
	return total.failed.length + missing.length === 0 ? 0 : 1;
}

async function mutants({ seed, mutant: only, docs }: Options): Promise<number> {
	const verdicts = await playMutants(seed, only, ({ mutant, verdict, invariant, rounds }) =>
		console.log(`${verdict.padEnd(9)} ${mutant.area}: ${mutant.name}${verdict === "noticed" ? ` (${invariant}, round ${rounds})` : ""}`),
	);
	const survivors = verdicts.filter(({ verdict }) => verdict === "survived").length;
	console.log(`${verdicts.length - survivors} of ${verdicts.length} mutants noticed`);
	if (docs && only === "") writeMutants(mutantsText(verdicts, seed));
	return survivors === 0 ? 0 : 1;
}

async function tell(total: Rounds, seconds: number): Promise<void> {
	const [failed] = total.failed;
	if (options.json) {
		console.log(JSON.stringify({ seed: options.seed, seconds: Math.round(seconds), ...total }));
		return;
	}
	if (options.counts)
		for (const [what, times] of Object.entries(total.counts).sort(([a], [b]) => a.localeCompare(b)))
			console.log(`${String(times).padStart(9)} ${what}`);
	const pace = `${seconds.toFixed(1)} s, ${((seconds * 1_000) / Math.max(1, total.rounds)).toFixed(1)} ms a round, trace ${total.hash}`;
	console.log(`${total.rounds} rounds, ${total.steps} steps, ${(total.simulatedMs / 3_600_000).toFixed(1)} h of simulated time in ${pace}`);
	if (failed === undefined) {
		console.log(`No promise was broken, seed ${options.seed}.`);
		return;
	}
	console.error(`\nBROKEN: ${failed.invariant}\n${failed.detail}\n\nThe last of what happened:\n${failed.trace.join("\n")}`);
	console.error(`\nPlay it again: npm run simulate -- --replay ${failed.seed}`);
	if (options.shrinks) await tellShrunk(failed.seed);
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

function startWorker() {
	const child = fork(join(import.meta.dirname, "worker.ts"), { execArgv: ["--import", "tsx"] });
	return {
		play: (work: Work) =>
			new Promise<Rounds>((resolve, reject) => {
				const gone = () => reject(new Error("A worker has ended."));
				child.once("exit", gone);
				child.once("message", (result: Rounds) => {
					child.off("exit", gone);
					resolve(result);
				});
				child.send(work);
			}),
		end: () => child.disconnect(),
	};
}
