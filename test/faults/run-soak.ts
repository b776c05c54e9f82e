import { appendFileSync, mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Fault } from "./fault.ts";
import { faultsOf } from "./faults.ts";
import { createRandom } from "./random.ts";
import { playRound } from "./round.ts";
import { type Sample, slopesOf } from "./slopes.ts";
import { look } from "./soak-measures.ts";
import { readSoakOptions, SOAK_HELP, type SoakOptions } from "./soak-options.ts";
import { type SoakRound, writeSoakReport } from "./soak-report.ts";
import { wait } from "./wait.ts";
import { createWorld, type World } from "./world.ts";

/** Mixed traffic with one fault a minute; at the end nothing may have filled up. */
const options = optionsOrEnd();
if (options.help) {
	console.log(SOAK_HELP);
	process.exit(0);
}
mkdirSync(dirname(options.samples), { recursive: true });
rmSync(options.samples, { force: true });
const begunAt = new Date();
const samples: Sample[] = [];
const rounds: SoakRound[] = [];
const world = await createWorld();
// Whatever breaks, what was seen until then is judged and told.
await soak(world).catch((error: unknown) => rounds.push({ fault: "the soak itself", findings: [sentence(error)] }));
await world.close().catch((error: unknown) => rounds.push({ fault: "the end of the server", findings: [sentence(error)] }));
const slopes = slopesOf(samples);
for (const { isGood, name, perHour, most, grown, limit } of slopes)
	console.log(
		`${isGood ? "ok  " : "FAIL"} ${name}: ${perHour.toFixed(2)} an hour, ${grown.toFixed(2)} after warming up, at most ${most} (${JSON.stringify(limit)})`,
	);
if (options.docs) writeSoakReport({ ...options, begunAt: begunAt.toISOString(), samples, rounds, slopes });
const bad = rounds.filter((round) => round.findings.length > 0).length + slopes.filter((slope) => !slope.isGood).length;
console.log(`${rounds.length + slopes.length - bad} passed, ${bad} failed`);
process.exit(bad === 0 ? 0 : 1);

async function soak(world: World): Promise<void> {
	// A restart begins every measure anew, so the server itself is not among what is killed here; `npm run faults` does that.
	const faults = faultsOf("copilot").filter(
		(fault) => fault.restarts !== true && !fault.name.startsWith("page-") && fault.missing?.(world) === undefined,
	);
	const random = createRandom(options.seed);
	let left: Fault[] = [];
	const leftMs = () => (options.hours * 60 - minutesSince(begunAt)) * 60_000;
	// Also one that is over before it began looks once.
	for (let round = 0; round === 0 || leftMs() > 0; round += 1) {
		const began = Date.now();
		if (left.length === 0) left = random.some(faults, faults.length);
		const fault = left.shift() ?? random.pick(faults);
		const findings = await playRound(world, [fault], options.seed * 1_000_000 + round).then(
			(result) => result.findings,
			(error: unknown) => [sentence(error)],
		);
		if (findings.length > 0) await putRight(world, fault);
		rounds.push({ fault: fault.name, findings });
		const sample = look(Math.round(10 * minutesSince(begunAt)) / 10, world.server);
		samples.push(sample);
		appendFileSync(options.samples, `${JSON.stringify({ ...sample, fault: fault.name, findings })}\n`);
		console.log(`${sample.minute} min ${fault.name}: ${findings.join(" ") || "ok"}; ${JSON.stringify(sample.values)}`);
		await wait(Math.max(0, Math.min(leftMs(), 60_000 - (Date.now() - began))));
	}
}

/** Without ending the server, whose measures would begin anew. */
async function putRight(world: World, fault: Fault): Promise<void> {
	world.model.forget();
	world.model.listing = "up";
	world.proxy.resume();
	world.modelProxy.resume();
	try {
		await fault.heal?.(world);
		await world.revive();
	} catch (error) {
		console.log(`Putting it right failed: ${sentence(error)}`);
	}
}

function minutesSince(begun: Date): number {
	return (Date.now() - begun.getTime()) / 60_000;
}

function optionsOrEnd(): SoakOptions {
	try {
		return readSoakOptions(process.argv.slice(2));
	} catch (error) {
		console.error(`${sentence(error)}\n--help tells the options.`);
		return process.exit(2);
	}
}

function sentence(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
