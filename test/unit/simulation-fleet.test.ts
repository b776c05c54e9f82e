import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { FleetCommand } from "@rightseat/protocol/fleet/command";
import { expect, test } from "vitest";
import { createExaminer } from "../simulation/fleet/examiner.ts";
import { createFleetPart } from "../simulation/fleet/fleet-part.ts";
import { createHostClock } from "../simulation/fleet/host-clock.ts";
import { FLEET_MUTANTS } from "../simulation/fleet/mutants.ts";
import type { Member } from "../simulation/fleet/scene.ts";
import type { World } from "../simulation/frame/part.ts";
import { makePlan } from "../simulation/frame/plan.ts";
import { play } from "../simulation/frame/play.ts";
import { createTrace } from "../simulation/frame/trace.ts";
import { playRounds } from "../simulation/run/rounds.ts";
import { createFakeClock } from "../support/fake-clock.ts";

const PARTS = [createFleetPart()];
/** Rounds that broke a promise once, each with what keeps it since. */
const MENDED = [
	...[21_009_944, 21_030_568], // FL376
	21_084_344, // FL377
	...[21_079_304, 24_066_736], // A page that docs/simulation.md says is loaded again.
	24_036_576, // FL92
];
const ROOT = resolve(import.meta.dirname, "../..");

test("[SM30] the same seed gives the same round of a fleet", async () => {
	const [one, other] = [await play(makePlan(7, PARTS), PARTS), await play(makePlan(7, PARTS), PARTS)];
	expect([other.hash, other.simulatedMs, [...other.counts]]).toEqual([one.hash, one.simulatedMs, [...one.counts]]);
});

test("[SM31] some rounds of a fleet break no promise", async () => {
	const { failed, rounds } = await playRounds([1, 2, 3, 4, 5, 6, ...MENDED], PARTS);
	expect([failed, rounds]).toEqual([[], 6 + MENDED.length]);
});

/** Nothing but what the examiner needs, and what it says. */
function examined() {
	const [clock, broken]: [ReturnType<typeof createFakeClock>, string[]] = [createFakeClock(), []];
	let ids = 0;
	const violate = (invariant: string) => void broken.push(invariant);
	const parts: Partial<World> = { clock, violate, count: () => undefined, trace: createTrace(), ids: { next: () => `i${ids++}` } };
	const life = { number: 1, isAlive: () => true };
	const member = (id: string, fence?: number) => ({
		id,
		host: { name: id },
		time: { isPaused: () => false },
		run: { life, lease: { fence: () => fence } },
	});
	const examiner = createExaminer(standIn(parts));
	const owner: Member = standIn(member("owner"));
	const [asking, witness] = [examiner.witness(standIn(member("console"))), examiner.witness(owner)];
	const command = (more: Partial<FleetCommand> = {}): FleetCommand => ({
		...{ v: 1, id: examiner.ids().next(), fleet: "f", from: "console", to: "owner", actor: { origin: "web" }, notAfter: 0 },
		...{ frame: { type: "copilot:abort", data: {} }, ...more },
	});
	const carryOut = (one: FleetCommand) => {
		for (const outcome of ["begun", "done"] as const) witness.ran(one, outcome);
		witness.audited(one, "done");
	};
	return {
		clock,
		broken,
		examiner,
		owner,
		asking,
		witness,
		command,
		carryOut,
		member: (id: string, fence: number): Member => standIn(member(id, fence)),
	};
}
/** What a test gives in place of the whole: it has less than what it stands for. */
const standIn = (value: object) => Object.assign(Object.create(null), value);

test("[SM32] the examiner of a fleet notices what must not be", async () => {
	const { clock, broken, examiner, owner, asking, witness, command, carryOut, member } = examined();
	const found = () => broken.splice(0);
	const fine = command();
	asking.asked(fine);
	carryOut(fine);
	examiner.check([owner]);
	expect(found()).toEqual([]);
	carryOut(fine);
	expect(found()).toContain("fleet-once");
	carryOut(command({ frame: { type: "copilot:abort", data: { messageId: "never asked for" } } }));
	expect(found()).toEqual(["fleet-only-asked"]);
	const late = command();
	await clock.advance(100_000);
	carryOut(late);
	expect(found()).toEqual(["fleet-in-time"]);
	witness.ran(command(), "done");
	examiner.check([owner]);
	expect(found()).toEqual(["fleet-audited"]);
	for (const number of [3, 2]) carryOut(command({ fence: { lease: "task", number } }));
	expect(found()).toEqual(["fleet-one-holder"]);
	examiner.check([member("one", 3), member("other", 4)]);
	expect(found()).toEqual(["fleet-one-holder"]);
	for (const frame of ["a", "b"]) examiner.shown(owner, "c1", { epoch: "e", seq: 1, frame });
	expect(found()).toEqual(["fleet-one-history"]);
});

test("[SM34] every mutant of the fleet breaks one place of the source", () => {
	expect(FLEET_MUTANTS.length).toBeGreaterThanOrEqual(6);
	for (const { name, file, search, replace } of FLEET_MUTANTS)
		expect([name, readFileSync(join(ROOT, file), "utf8").split(search).length, search === replace]).toEqual([name, 2, false]);
});

test("[SM33] a simulated host sleeps, stands still and dies as a real one does", async () => {
	const world = createFakeClock();
	const [host, done]: [ReturnType<typeof createHostClock>, string[]] = [createHostClock(world, 5_000), []];
	expect(host.clock.now() - world.now()).toBe(5_000);
	host.clock.after(1_000, () => done.push("timer"));
	await world.advance(400);
	host.pause("asleep");
	host.enter(() => done.push("message"));
	await world.advance(10_000);
	expect([done, host.clock.elapsed() - world.elapsed()]).toEqual([[], -10_000]);
	host.resume();
	await world.advance(599);
	expect(done).toEqual(["message"]);
	await world.advance(1);
	expect(done.splice(0)).toEqual(["message", "timer"]);
	host.clock.after(1_000, () => done.push("timer"));
	host.pause("frozen");
	await world.advance(10_000);
	host.resume();
	await world.settle();
	expect(done.splice(0)).toEqual(["timer"]);
	host.clock.after(1, () => done.push("late"));
	host.die();
	host.enter(() => done.push("later"));
	await world.advance(10);
	expect(done).toEqual([]);
});

test("[SM33] of a simulated host's clocks only the one since its start tells how long it slept, whatever its date is set to", async () => {
	const world = createFakeClock();
	const host = createHostClock(world, 0);
	const at = () => [host.clock.now(), host.clock.elapsed(), host.clock.sinceBoot()];
	const before = at();
	host.pause("asleep");
	await world.advance(10_000);
	host.jump(-10_000);
	host.resume();
	expect(at().map((ms, index) => ms - (before[index] ?? 0))).toEqual([0, 0, 10_000]);
});
