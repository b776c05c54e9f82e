import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { faultsOf } from "./faults.ts";
import { residentMegabytes } from "./oracle.ts";
import { createRandom } from "./random.ts";
import { playRound } from "./round.ts";
import { type Sample, slopesOf } from "./slopes.ts";
import { readSoakOptions, SOAK_HELP, type SoakOptions } from "./soak-options.ts";
import { type SoakRound, writeSoakReport } from "./soak-report.ts";
import { wait } from "./wait.ts";
import { createWorld, type World } from "./world.ts";

/** Mixed traffic with one fault a minute; at the end memory, descriptors, processes and disk must be flat. */
const options = optionsOrEnd();
if (options.help) {
	console.log(SOAK_HELP);
	process.exit(0);
}
mkdirSync(dirname(options.samples), { recursive: true });
rmSync(options.samples, { force: true });
const samples: Sample[] = [];
const rounds: SoakRound[] = [];
const world = await createWorld();
try {
	await soak(world);
} finally {
	await world.close();
}
const slopes = slopesOf(samples);
for (const { flat, name, perHour, limit, grown } of slopes)
	console.log(`${flat ? "flat " : "RISES"} ${name}: ${perHour.toFixed(2)} an hour (limit ${limit}), ${grown.toFixed(2)} after warming up`);
if (options.docs) writeSoakReport({ ...options, samples, rounds, slopes });
const bad = rounds.filter((round) => round.findings.length > 0).length + slopes.filter((slope) => !slope.flat).length;
console.log(`${rounds.length + slopes.length - bad} passed, ${bad} failed`);
process.exit(bad === 0 ? 0 : 1);

async function soak(world: World): Promise<void> {
	// A restart begins every measure anew, so the server itself is not among what is killed here; `npm run faults` does that.
	const faults = faultsOf("copilot").filter(
		(fault) => fault.restarts !== true && !fault.name.startsWith("page-") && fault.missing?.(world) === undefined,
	);
	const random = createRandom(options.seed);
	for (let minute = 0; minute < options.hours * 60; minute += 1) {
		const began = Date.now();
		const fault = random.pick(faults);
		const findings = await playRound(world, [fault], options.seed * 1_000_000 + minute).then(
			(result) => result.findings,
			(error: unknown) => [error instanceof Error ? error.message : String(error)],
		);
		rounds.push({ fault: fault.name, findings });
		const sample = look(minute, world);
		samples.push(sample);
		appendFileSync(options.samples, `${JSON.stringify({ ...sample, fault: fault.name, findings })}\n`);
		console.log(`${minute} min ${fault.name}: ${findings.join(" ") || "ok"}; ${JSON.stringify(sample)}`);
		await wait(Math.max(0, 60_000 - (Date.now() - began)));
	}
}

function look(minute: number, world: World): Sample {
	const { pid, home } = world.server;
	return {
		minute,
		megabytes: residentMegabytes(pid),
		descriptors: readdirSync(`/proc/${pid}/fd`).length,
		processes: 1 + world.pids("runtime").length + world.pids("shell").length,
		diskMegabytes: Math.round((sizeOf(home) - sizeOf(join(home, "shell"))) / 2 ** 20),
	};
}

function sizeOf(path: string): number {
	const stat = statSync(path, { throwIfNoEntry: false });
	if (stat === undefined) return 0;
	return stat.isDirectory() ? readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0) : stat.size;
}

function optionsOrEnd(): SoakOptions {
	try {
		return readSoakOptions(process.argv.slice(2));
	} catch (error) {
		console.error(`${error instanceof Error ? error.message : String(error)}\n--help tells the options.`);
		return process.exit(2);
	}
}
