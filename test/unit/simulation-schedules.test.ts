import { expect, test } from "vitest";
import { corePart } from "../simulation/core/core-part.ts";
import { makePlan } from "../simulation/frame/plan.ts";
import { play } from "../simulation/frame/play.ts";
import { playRounds } from "../simulation/run/rounds.ts";
import { schedulesPart } from "../simulation/schedules/schedules-part.ts";

const PARTS = [corePart, { ...schedulesPart, joinsEvery: 1 }];

test("[SM50] the same seed gives the same round with schedules in it", async () => {
	const [one, other] = [await play(makePlan(7, PARTS), PARTS), await play(makePlan(7, PARTS), PARTS)];
	expect([other.hash, other.simulatedMs, [...other.counts]]).toEqual([one.hash, one.simulatedMs, [...one.counts]]);
});

test("[SM51] some rounds with schedules break no promise", async () => {
	// The first left a time that was neither sent nor told, when two processes died one after the other (SC7).
	const { failed, rounds } = await playRounds([6_000_413, ...Array.from({ length: 12 }, (_, round) => 50_000 + round)], PARTS);
	expect([failed, rounds]).toEqual([[], 13]);
});
