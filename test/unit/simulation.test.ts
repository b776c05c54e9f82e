import { expect, test } from "vitest";
import type { Part } from "../simulation/frame/part.ts";
import { makePlan } from "../simulation/frame/plan.ts";
import { play } from "../simulation/frame/play.ts";
import { PARTS } from "../simulation/parts.ts";
import { playRounds, seedOf } from "../simulation/run/rounds.ts";
import { shrink } from "../simulation/run/shrink.ts";

/** Whoever plays alone has tests of its own. */
const TOGETHER = PARTS.filter(({ aloneEvery }) => aloneEvery === undefined);

test("[SM1] the same seed gives the same round, byte for byte", async () => {
	for (const seed of [3, 11, 29]) {
		const [one, other] = [await play(makePlan(seed, TOGETHER), TOGETHER), await play(makePlan(seed, TOGETHER), TOGETHER)];
		expect([other.hash, other.steps, other.simulatedMs, [...other.counts]]).toEqual([
			one.hash,
			one.steps,
			one.simulatedMs,
			[...one.counts],
		]);
	}
	const [one, other] = [await play(makePlan(3, TOGETHER), TOGETHER), await play(makePlan(4, TOGETHER), TOGETHER)];
	expect(one.hash).not.toBe(other.hash);
});

test("[SM2] forty rounds of a fixed seed break no promise", async () => {
	const seeds = Array.from({ length: 40 }, (_, round) => seedOf(7, round));
	const { failed, rounds } = await playRounds(seeds, TOGETHER);
	expect([failed, rounds]).toEqual([[], 40]);
});

/** Says that a promise is broken when there was a prompt and, later, a stop of a turn. */
function suspicious(): Part {
	return {
		name: "suspicious",
		kinds: [
			{ name: "first", weight: 1 },
			{ name: "second", weight: 1 },
		],
		invariants: { "never-both": "A stand-in." },
		covers: [],
		join(world) {
			let seen = false;
			return {
				play: {
					first() {
						seen = true;
					},
					second() {
						if (seen) world.violate("never-both", "first, then second");
					},
				},
			};
		},
	};
}

test("[SM3] a failed plan is shrunk to the steps that break the promise", async () => {
	const parts = [...TOGETHER, suspicious()];
	const seed = await failingSeed(parts);
	const shrunk = await shrink(makePlan(seed, parts), parts);
	expect(shrunk.plan.steps.map(({ kind }) => kind)).toEqual(["first", "second"]);
	expect(shrunk.played.violation).toMatchObject({ invariant: "never-both", detail: "first, then second" });
});

async function failingSeed(parts: readonly Part[]): Promise<number> {
	for (let seed = 1; seed < 200; seed += 1) {
		const { violation, steps } = await play(makePlan(seed, parts), parts);
		if (violation?.invariant === "never-both" && steps > 8) return seed;
	}
	throw new Error("No round had both.");
}
