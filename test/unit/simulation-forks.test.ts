import { expect, test } from "vitest";
import { corePart } from "../simulation/core/core-part.ts";
import { forksPart } from "../simulation/forks/forks-part.ts";
import { makePlan } from "../simulation/frame/plan.ts";
import { play } from "../simulation/frame/play.ts";
import { playRounds } from "../simulation/run/rounds.ts";

const PARTS = [corePart, { ...forksPart, joinsEvery: 1 }];
const MENDED = [
	1_000_071, // FK31
	1_000_018, // FK32
	1_000_082, // FK33
];

test("[SM52] the same seed gives the same round with forks in it", async () => {
	const [one, other] = [await play(makePlan(7, PARTS), PARTS), await play(makePlan(7, PARTS), PARTS)];
	expect([other.hash, other.simulatedMs, [...other.counts]]).toEqual([one.hash, one.simulatedMs, [...one.counts]]);
});

test("[SM53] some rounds with forks break no promise", async () => {
	const { failed, rounds } = await playRounds([...MENDED, ...Array.from({ length: 12 }, (_, round) => 52_000 + round)], PARTS);
	expect([failed, rounds]).toEqual([[], MENDED.length + 12]);
});
