import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { FAULTS } from "./faults.ts";
import { residentMegabytes } from "./oracle.ts";
import { createRandom } from "./random.ts";
import { playRound } from "./round.ts";
import { type Sample, slopesOf } from "./slopes.ts";
import { createWorld } from "./world.ts";

/** `npm run soak -- --hours 8 [--seed 1]`: mixed traffic with one fault a minute; at the end memory, descriptors, processes and disk must be flat. */
const argv = process.argv.slice(2);
const number = (name: string, fallback: number) => (argv.includes(name) ? Number(argv[argv.indexOf(name) + 1]) : fallback);
const hours = number("--hours", 1);
const seed = number("--seed", 1);
if (!(hours > 0) || !Number.isSafeInteger(seed)) {
	console.error("--hours takes a number above 0, --seed a whole number.");
	process.exit(2);
}

// A restart begins every measure anew, so the server itself is not among what is killed here; `npm run faults` does that.
const faults = FAULTS.filter((fault) => !["kill-server", "stop-server"].includes(fault.name));
const random = createRandom(seed);
const samples: Sample[] = [];
const world = await createWorld();
let findings = 0;
try {
	for (let minute = 0; minute < hours * 60; minute += 1) {
		const began = Date.now();
		const fault = random.pick(faults);
		const result = await playRound(world, [fault], seed * 1_000_000 + minute);
		findings += result.findings.length;
		const sample = look(minute, world.server.pid, world.server.home);
		samples.push(sample);
		console.log(`${minute} min ${fault.name}: ${result.findings.join(" ") || "ok"}; ${JSON.stringify(sample)}`);
		await new Promise((resolve) => setTimeout(resolve, Math.max(0, 60_000 - (Date.now() - began))));
	}
} finally {
	await world.close();
}
const slopes = slopesOf(samples);
for (const slope of slopes)
	console.log(`${slope.flat ? "flat " : "RISES"} ${slope.name}: ${slope.perHour.toFixed(2)} an hour (limit ${slope.limit})`);
const bad = findings + slopes.filter((slope) => !slope.flat).length;
console.log(`${samples.length + slopes.length - bad} passed, ${bad} failed`);
process.exit(bad === 0 ? 0 : 1);

function look(minute: number, pid: number, home: string): Sample {
	return {
		minute,
		megabytes: residentMegabytes(pid),
		descriptors: readdirSync(`/proc/${pid}/fd`).length,
		processes: world.pids("runtime").length + world.pids("shell").length,
		diskMegabytes: Math.round(sizeOf(home) / 2 ** 20),
	};
}

function sizeOf(path: string): number {
	const stat = statSync(path, { throwIfNoEntry: false });
	if (stat === undefined) return 0;
	return stat.isDirectory() ? readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0) : stat.size;
}
