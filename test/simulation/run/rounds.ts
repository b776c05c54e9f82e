import type { Part } from "../frame/part.ts";
import { makePlan } from "../frame/plan.ts";
import { type Played, play } from "../frame/play.ts";

/** What many rounds came to. */
export interface Rounds {
	rounds: number;
	steps: number;
	simulatedMs: number;
	/** Of all traces, in order: the same for the same seed, rounds and program. */
	hash: string;
	counts: Record<string, number>;
	failed: { seed: number; invariant: string; detail: string; trace: readonly string[] }[];
}

export const noRounds = (): Rounds => ({ rounds: 0, steps: 0, simulatedMs: 0, hash: "", counts: {}, failed: [] });

/** Each round has a seed of its own, so that a failed one can be played alone. */
export const seedOf = (seed: number, round: number) => (seed * 1_000_003 + round) >>> 0;

/** Who takes part in the round with this seed: all together, or one that plays alone. */
export function partsOf(seed: number, parts: readonly Part[]): readonly Part[] {
	const together = parts.filter(({ aloneEvery }) => aloneEvery === undefined);
	const alone = parts.find(({ aloneEvery }) => aloneEvery !== undefined && (together.length === 0 || seed % aloneEvery === 0));
	if (alone !== undefined) return [alone];
	return together.filter(({ joinsEvery = 1 }) => Math.floor(seed / 8) % joinsEvery === 0);
}

/** Plays these rounds one after the other; ends after so many failures. */
export async function playRounds(
	seeds: Iterable<number>,
	parts: readonly Part[],
	{ maxFailed = 1, onPlayed = (_: Rounds): boolean => true } = {},
): Promise<Rounds> {
	const total = noRounds();
	for (const seed of seeds) {
		const those = partsOf(seed, parts);
		add(total, await play(makePlan(seed, those), those));
		if (total.failed.length >= maxFailed || !onPlayed(total)) break;
	}
	return total;
}

function add(total: Rounds, played: Played): void {
	total.rounds += 1;
	total.steps += played.steps;
	total.simulatedMs += played.simulatedMs;
	total.hash = mixed(total.hash, played.hash);
	for (const [what, times] of played.counts) total.counts[what] = (total.counts[what] ?? 0) + times;
	if (played.violation !== undefined) total.failed.push({ seed: played.seed, ...played.violation });
}

/** Two results as one, in this order. */
export function joined(a: Rounds, b: Rounds): Rounds {
	const counts = { ...a.counts };
	for (const [what, times] of Object.entries(b.counts)) counts[what] = (counts[what] ?? 0) + times;
	return {
		rounds: a.rounds + b.rounds,
		steps: a.steps + b.steps,
		simulatedMs: a.simulatedMs + b.simulatedMs,
		hash: mixed(a.hash, b.hash),
		counts,
		failed: [...a.failed, ...b.failed],
	};
}

function mixed(a: string, b: string): string {
	let [low, high] = [0x811c9dc5, 0x1b873593];
	for (const letter of a + b) {
		low = Math.imul(low ^ letter.charCodeAt(0), 0x01000193);
		high = Math.imul(high ^ letter.charCodeAt(0), 0x85ebca6b) ^ (low >>> 13);
	}
	return `${(low >>> 0).toString(16).padStart(8, "0")}${(high >>> 0).toString(16).padStart(8, "0")}`;
}

/** Rounds after which everything should have happened once. */
const COVERED_ROUNDS = 500;

/** What parts want to see and did not, after enough rounds. */
export function neverHappened({ rounds, counts }: Rounds, parts: readonly Part[]): string[] {
	if (rounds < COVERED_ROUNDS) return [];
	const wanted = parts.flatMap((part) => [...part.covers, ...part.kinds.map((kind) => `${part.name}: ${kind.name}`)]);
	return wanted.filter((what) => (counts[what] ?? 0) === 0);
}
