import { createDisk } from "./disk.ts";
import type { Fault } from "./fault.ts";
import { FAULTS, faultsOf, WITH_ANY_AGENT } from "./faults.ts";
import { addToJournal, beginJournal, type JournalHead, type RoundResult, readJournal } from "./journal.ts";
import { type PlannedRound, planRounds, readRoundName } from "./plan.ts";
import { playPlan } from "./play-plan.ts";
import { HELP, readOptions } from "./read-options.ts";
import { writeReport } from "./report.ts";
import { playRound } from "./round.ts";
import { createWorld, type World } from "./world.ts";

/** Faults of the real page; the others need no browser. */
const isOfPage = (name: string) => name.startsWith("page-");
const usesPage = ({ faults }: PlannedRound) => faults.some(isOfPage);

const options = orEnd(() => readOptions(process.argv.slice(2)));
if (options.help) end(HELP, 0);
if (options.list) end(FAULTS.map((fault) => `${fault.name.padEnd(28)}${fault.breaks}`).join("\n"), 0);
const unknown = (options.only ?? []).filter((name) => !FAULTS.some((fault) => fault.name === name));
if (unknown.length > 0) end(`There is no fault ${unknown.join(", ")}. --list names them all.`, 2);

const { head, results } = orEnd(beginning);
for (const reason of head.left) console.log(`left out ${reason}`);
const goOn = `npm run faults -- --continue --journal ${options.journal}${options.docs ? " --docs" : ""}`;
const sayThatItWasCut = () => console.log(`Cut after ${results.length} of ${head.plan.length} rounds. The rest: ${goOn}`);
if (options.replay === undefined) process.once("exit", sayThatItWasCut);
await playPlan(head.plan, results, {
	faults: FAULTS,
	createWorld: (pilot) =>
		createWorld({ pilot, browser: head.browser && head.plan.some((round) => round.pilot === pilot && usesPage(round)) }),
	play: playRound,
	putRight,
	say: (line) => console.log(line),
	onResult(result) {
		results.push(result);
		if (options.replay === undefined) addToJournal(options.journal, result);
	},
});
process.off("exit", sayThatItWasCut);
if (options.docs) writeReport(results, head);
const failed = results.filter((result) => result.findings.length > 0);
for (const result of failed)
	if (result.faults.length > 0) console.log(`again: npm run faults -- --replay ${result.faults.join("+")}@${result.seed}`);
console.log(`${results.length - failed.length} passed, ${failed.length} failed`);
process.exit(failed.length === 0 ? 0 : 1);

function beginning(): { head: JournalHead; results: RoundResult[] } {
	if (options.continued) return readJournal(options.journal);
	const disk = createDisk();
	const missing = FAULTS.flatMap((fault) => {
		const reason = fault.missing?.({ disk });
		return reason === undefined ? [] : [{ fault, reason }];
	});
	const { kind } = disk;
	disk.remove();
	const wanted = FAULTS.filter(
		({ name }) =>
			(options.only?.includes(name) ?? (options.browser || !isOfPage(name))) && !missing.some(({ fault }) => fault.name === name),
	);
	const plan = options.replay?.map(roundOf) ?? planned(wanted);
	const left = missing.map(({ fault, reason }) => `${fault.name}: ${reason}`);
	const { seed, browser } = options;
	const begun: JournalHead = { rounds: plan.length, seed, browser, disk: kind, left, begunAt: new Date().toISOString(), plan };
	if (options.replay === undefined) beginJournal(options.journal, begun);
	return { head: begun, results: [] };
}

function planned(wanted: readonly Fault[]): PlannedRound[] {
	const namesOf = (pilot: "copilot" | "acp") => faultsOf(pilot).flatMap((fault) => (wanted.includes(fault) ? fault.name : []));
	const companions = options.only === undefined ? WITH_ANY_AGENT : [];
	const own = { copilot: namesOf("copilot"), acp: namesOf("acp") };
	const rounds = options.rounds ?? wanted.length + (options.only === undefined ? 20 : 0);
	return planRounds({ rounds, seed: options.seed, own, companions });
}

function roundOf(name: string): PlannedRound {
	const round = readRoundName(name, FAULTS);
	if (round === undefined) throw new Error(`${name} is no round. One is written as kill-server+flood@2300017.`);
	return round;
}

/** The next round begins on a server that works, so that one finding is not told again and again. */
async function putRight(world: World, faults: Fault[]): Promise<boolean> {
	world.model.forget();
	try {
		for (const fault of faults) await fault.heal?.(world);
		world.proxy.resume();
		world.modelProxy.resume();
		world.model.listing = "up";
		await world.server.kill("SIGKILL");
		await world.revive();
		// A round that broke off may have left a frozen or closed browser.
		await world.page?.killAndStart();
		return true;
	} catch (error) {
		console.log(`     Putting it right failed: ${error instanceof Error ? error.message : String(error)}`);
		return false;
	}
}

function orEnd<T>(read: () => T): T {
	try {
		return read();
	} catch (error) {
		return end(`${error instanceof Error ? error.message : String(error)}\n--help tells the options.`, 2);
	}
}

function end(text: string, code: number): never {
	console[code === 0 ? "log" : "error"](text);
	process.exit(code);
}
