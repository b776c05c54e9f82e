import type { Fault } from "./fault.ts";
import { FAULTS, faultsOf, WITH_ANY_AGENT } from "./faults.ts";
import { createRandom } from "./random.ts";
import { type FaultOptions, HELP, readOptions } from "./read-options.ts";
import { writeReport } from "./report.ts";
import { playRound, type RoundResult } from "./round.ts";
import { createWorld, type Pilot, type World } from "./world.ts";

/** Faults of the real page; the others need no browser. */
const isOfPage = (fault: Fault) => fault.name.startsWith("page-");

const options = optionsOrEnd();
const wanted = FAULTS.filter((fault) => options.only?.includes(fault.name) ?? (options.browser || !isOfPage(fault)));
const unknown = (options.only ?? []).filter((name) => !FAULTS.some((fault) => fault.name === name));
if (options.help) end(HELP, 0);
if (options.list) end(FAULTS.map((fault) => `${fault.name.padEnd(24)}${fault.breaks}`).join("\n"), 0);
if (unknown.length > 0 || wanted.length === 0) end(`There is no fault ${unknown.join(", ")}. --list names them all.`, 2);

const results: RoundResult[] = [];
const left: string[] = [];
let disk = "none";
for (const pilot of ["copilot", "acp"] as const) {
	const own = wanted.filter((fault) => faultsOf(pilot).includes(fault));
	if (own.length > 0) await playAll(pilot, own);
}
if (options.docs) writeReport(results, { ...options, disk, left });
const failed = results.filter((result) => result.findings.length > 0).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** A world of its own for each pilot, in which everything is played and at last the database is looked at. */
async function playAll(pilot: Pilot, own: Fault[]): Promise<void> {
	const world = await createWorld({ pilot, browser: options.browser && own.some(isOfPage) });
	disk = world.disk.kind;
	try {
		await play(world, own, options);
	} finally {
		await world.close();
	}
}

async function play(world: World, own: Fault[], { rounds, seed }: FaultOptions): Promise<void> {
	const chosen = own.filter((fault) => {
		const reason = fault.missing?.(world);
		if (reason !== undefined) left.push(`${fault.name}: ${reason}`);
		if (reason !== undefined) console.log(`left out ${fault.name}: ${reason}`);
		return reason === undefined;
	});
	const random = createRandom(seed);
	const combined = [...chosen, ...companions(world.pilot)];
	const plan = [...chosen.map((fault) => [fault]), ...Array.from({ length: rounds }, () => random.some(combined, random.between(2, 3)))];
	for (const [index, faults] of plan.entries()) {
		const result = await playRound(world, faults, seed * 100_000 + index).catch((error: unknown) =>
			brokenOff(seed * 100_000 + index, faults, error),
		);
		results.push(result);
		console.log(`${result.findings.length === 0 ? "ok  " : "FAIL"} ${result.faults.join(" + ")} (seed ${result.seed}, ${result.ms} ms)`);
		for (const finding of result.findings) console.log(`     ${finding}`);
		if (result.findings.length > 0) await putRight(world, faults);
	}
	const integrity = await world.integrity();
	console.log(`${integrity === "ok" ? "ok  " : "FAIL"} the database is whole after all of it: ${integrity}`);
	if (integrity !== "ok") results.push({ ...brokenOff(0, [], `PRAGMA integrity_check: ${integrity}`) });
}

/** What is combined with the faults of an agent, unless only some were asked for. */
function companions(pilot: Pilot): Fault[] {
	return pilot === "acp" && options.only === undefined ? FAULTS.filter(({ name }) => WITH_ANY_AGENT.includes(name)) : [];
}

function brokenOff(seed: number, faults: Fault[], error: unknown): RoundResult {
	const findings = [error instanceof Error ? error.message : String(error)];
	return { seed, faults: faults.map((fault) => fault.name), prompts: 0, commands: 0, ms: 0, findings };
}

/** The next round begins on a server that works, so that one finding is not told again and again. */
async function putRight(world: World, faults: Fault[]): Promise<void> {
	if (await world.isDown()) console.log(`     The server had ended. Its last words:\n${world.server.output().slice(-3_000)}`);
	world.model.forget();
	try {
		for (const fault of faults) await fault.heal?.(world);
		world.proxy.resume();
		await world.server.kill("SIGKILL");
		await world.revive();
		// A round that broke off may have left a frozen or closed browser.
		await world.page?.killAndStart();
	} catch (error) {
		console.log(`     Putting it right failed: ${error instanceof Error ? error.message : String(error)}`);
	}
}

function optionsOrEnd(): FaultOptions {
	try {
		return readOptions(process.argv.slice(2));
	} catch (error) {
		return end(`${error instanceof Error ? error.message : String(error)}\n--help tells the options.`, 2);
	}
}

function end(text: string, code: number): never {
	console[code === 0 ? "log" : "error"](text);
	process.exit(code);
}
