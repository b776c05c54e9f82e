import { FLEET_FAULTS } from "./faults.ts";
import { playMutants } from "./mutants.ts";
import { FLEET_HELP, type FleetFaultOptions, readFleetOptions } from "./options.ts";
import { type FleetResult, playFault } from "./play.ts";
import { writeFleetReport } from "./report.ts";
import { createFleetWorld, type FleetWorld } from "./world.ts";

const options = optionsOrEnd();
if (options.help) end(FLEET_HELP, 0);
if (options.list) end(FLEET_FAULTS.map(({ number, breaks }) => `${String(number).padStart(2)}  ${breaks}`).join("\n"), 0);
if (options.mutants) process.exit((await playMutants(options.seed)) === 0 ? 0 : 1);
const wanted = FLEET_FAULTS.filter(({ number }) => options.only?.includes(number) ?? true);
if (wanted.length === 0) end("There is no such fault. --list names them all.", 2);

const { results, versions } = await playAll();
if (options.json) console.log(JSON.stringify({ versions, results }, undefined, "\t"));
const [failed, left] = [results.filter(isFailed).length, results.filter(({ notPlayed }) => notPlayed !== undefined).length];
console.log(`${results.length - failed - left} passed, ${failed} failed, ${left} not played`);
process.exit(failed === 0 ? 0 : 1);

async function playAll(): Promise<{ results: FleetResult[]; versions: Record<string, string> }> {
	const played: FleetResult[] = [];
	const world = await createFleetWorld();
	try {
		for (let round = 0; round < options.rounds; round++) {
			for (const fault of wanted) {
				const result = await playFault(world, fault, options.seed + round);
				played.push(result);
				say(result, fault.breaks);
				// At once, so that a run that is broken off leaves what it has found.
				if (options.docs) writeFleetReport(played, versionsOf(world));
			}
		}
		return { results: played, versions: versionsOf(world) };
	} finally {
		await world.close();
	}
}

function versionsOf({ cluster }: FleetWorld): Record<string, string> {
	return { nats: cluster.version, node: process.version };
}

function say(result: FleetResult, breaks: string): void {
	const verdict = result.notPlayed !== undefined ? "left" : isFailed(result) ? "FAIL" : "ok  ";
	console.log(`${verdict} ${String(result.number).padStart(2)} ${breaks} (seed ${result.seed}, ${Math.round(result.ms / 1_000)} s)`);
	for (const finding of result.findings) console.log(`        ${finding}`);
	for (const line of result.trace ?? []) console.log(`        ${line}`);
	if (result.notPlayed !== undefined) console.log(`        not played: ${result.notPlayed}`);
	if (result.measured.length > 0) console.log(`        ${result.measured.join("; ")}`);
}

function isFailed({ findings }: FleetResult): boolean {
	return findings.length > 0;
}

function optionsOrEnd(): FleetFaultOptions {
	try {
		return readFleetOptions(process.argv.slice(2));
	} catch (error) {
		return end(`${error instanceof Error ? error.message : String(error)}\n--help tells the options.`, 2);
	}
}

function end(text: string, code: number): never {
	console[code === 0 ? "log" : "error"](text);
	process.exit(code);
}
