import { createRandom, type Random } from "../../faults/random.ts";
import type { Part, Step, StepKind } from "./part.ts";

/** Everything that one round does. */
export interface Plan {
	readonly seed: number;
	readonly steps: readonly Step[];
}

/** Most rounds are short, some are long: a short one says more when it fails, a long one gets further. */
const LENGTHS = [
	{ weight: 4, from: 4, to: 25 },
	{ weight: 4, from: 25, to: 70 },
	{ weight: 1, from: 70, to: 200 },
] as const;
/** Most steps follow each other at once; some leave time for timers. */
const WAITS = [
	{ weight: 6, from: 0, to: 3 },
	{ weight: 3, from: 3, to: 80 },
	{ weight: 1, from: 80, to: 2_500 },
] as const;
/** Each round likes some kinds of steps and leaves others out, so that rare things meet: what is everywhere meets nothing. */
const LIKINGS = [0, 0.3, 1, 1, 3] as const;

/** The same seed and parts give the same plan. */
export function makePlan(seed: number, parts: readonly Part[]): Plan {
	const random = createRandom(seed);
	const kinds = parts.flatMap((part) =>
		part.kinds.map((kind) => ({ part: part.name, kind, weight: kind.weight * likingOf(kind, random) })),
	);
	const count = within(random, LENGTHS);
	const steps = Array.from({ length: count }, (_, at): Step => {
		const chosen = weighted(random, kinds);
		const [a, b, c] = [chance(random), chance(random), chance(random)];
		return { part: chosen.part, kind: chosen.kind.name, a, b, c, waitMs: within(random, WAITS), at };
	});
	return { seed, steps };
}

/** What nothing can happen without is never left out. */
function likingOf(kind: StepKind, random: Random): number {
	const liking = random.pick(LIKINGS);
	return kind.weight >= 10 ? Math.max(1, liking) : liking;
}

function within(random: Random, ranges: readonly { weight: number; from: number; to: number }[]): number {
	const { from, to } = weighted(random, ranges);
	return random.between(from, to);
}

function weighted<T extends { weight: number }>(random: Random, items: readonly T[]): T {
	let left = random.next() * items.reduce((sum, { weight }) => sum + weight, 0);
	for (const item of items) {
		left -= item.weight;
		if (left < 0) return item;
	}
	return random.pick(items);
}

const chance = (random: Random) => Math.floor(random.next() * 10_000) / 10_000;

/** One of these, by a number of a step. */
export function pickBy<T>(items: readonly T[], number: number): T | undefined {
	return items[Math.floor(number * items.length)];
}
