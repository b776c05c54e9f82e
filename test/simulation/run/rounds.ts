import type { Part } from "../frame/part.ts";
import { makePlan } from "../frame/plan.ts";
import { type Played, play } from "../frame/play.ts";

/** A round in which a promise was broken. Its process ended in it if there is no trace. */
export interface FailedRound {
	seed: number;
	invariant: string;
	detail: string;
	trace: readonly string[];
}

/** What many rounds came to. */
export interface Rounds {
	rounds: number;
	steps: number;
	simulatedMs: number;
	/** Of each trace, in order. */
	hashes: string[];
	counts: Record<string, number>;
	failed: FailedRound[];
}

export const noRounds = (): Rounds => ({ rounds: 0, steps: 0, simulatedMs: 0, hashes: [], counts: {}, failed: [] });

/** Each round has a seed of its own, so that a failed one can be played alone. */
export const seedOf = (seed: number, round: number) => (seed * 1_000_003 + round) >>> 0;

/** Who takes part in the round with this seed: all together, or one that plays alone. */
export function partsOf(seed: number, parts: readonly Part[]): readonly Part[] {
	const together = parts.filter(({ aloneEvery }) => aloneEvery === undefined);
	const alone = parts.find(({ aloneEvery }) => aloneEvery !== undefined && (together.length === 0 || seed % aloneEvery === 0));
	if (alone !== undefined) return [alone];
	return together.filter(({ joinsEvery = 1 }) => Math.floor(seed / 8) % joinsEvery === 0);
}

/** Plays these rounds one after the other; ends after so many failures, or when it is told so before a round. */
export async function playRounds(
	seeds: Iterable<number>,
	parts: readonly Part[],
	{ maxFailed = 1, before = (_: number): boolean => true } = {},
): Promise<Rounds> {
	const total = noRounds();
	for (const seed of seeds) {
		if (total.failed.length >= maxFailed || !before(seed)) break;
		const those = partsOf(seed, parts);
		add(total, await play(makePlan(seed, those), those));
	}
	return total;
}

function add(total: Rounds, { seed, steps, simulatedMs, hash, counts, violation }: Played): void {
	const failed = violation === undefined ? [] : [{ seed, ...violation }];
	addRounds(total, { rounds: 1, steps, simulatedMs, hashes: [hash], counts: Object.fromEntries(counts), failed });
}

/** These come after those. */
export function addRounds(total: Rounds, more: Rounds): void {
	total.rounds += more.rounds;
	total.steps += more.steps;
	total.simulatedMs += more.simulatedMs;
	total.hashes.push(...more.hashes);
	for (const [what, times] of Object.entries(more.counts)) total.counts[what] = (total.counts[what] ?? 0) + times;
	total.failed.push(...more.failed);
}

/** The same for the same seed, rounds and program, however they were shared among processes. */
export function hashOf({ hashes }: Rounds): string {
	let [low, high] = [0x811c9dc5, 0x1b873593];
	for (const letter of hashes.join()) {
		low = Math.imul(low ^ letter.charCodeAt(0), 0x01000193);
		high = Math.imul(high ^ letter.charCodeAt(0), 0x85ebca6b) ^ (low >>> 13);
	}
	return `${(low >>> 0).toString(16).padStart(8, "0")}${(high >>> 0).toString(16).padStart(8, "0")}`;
}

/** Rounds after which everything should have happened once. */
const COVERED_ROUNDS = 500;

/** What parts want to see and did not, after enough rounds. */
export function neverHappened({ rounds, counts }: Pick<Rounds, "rounds" | "counts">, parts: readonly Part[]): string[] {
	if (rounds < COVERED_ROUNDS) return [];
	const wanted = parts.flatMap((part) => [...part.covers, ...part.kinds.map((kind) => `${part.name}: ${kind.name}`)]);
	return wanted.filter((what) => (counts[what] ?? 0) === 0);
}
