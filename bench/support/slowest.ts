import type { Profile } from "./benchmark.ts";
import { percentile } from "./statistics.ts";

/** An answer's first tokens meet what a turn begins with; up to here they count as its beginning. */
const BEGINNING = 20;

/** Where the slowest hundredth of the tokens of single answers stands: what holds up one moment of a process holds up tokens in a row. */
export function slowestTokens(title: string, answers: readonly (readonly number[])[]): Profile {
	const counts = new Map<string, number>();
	for (const ages of answers) {
		const border = percentile(ages, 0.99);
		const isSlow = (index: number) => (ages[index] ?? 0) > border;
		for (const index of ages.keys()) {
			if (!isSlow(index)) continue;
			const inRow = isSlow(index - 1) || isSlow(index + 1);
			const where = index < BEGINNING ? `among the first ${BEGINNING}` : inRow ? "later, in a row with another" : "later, alone";
			counts.set(where, (counts.get(where) ?? 0) + 1);
		}
	}
	const lines = [...counts].map(([what, count]) => ({ what, value: count / answers.length }));
	return { title, unit: "tokens", lines: lines.sort((a, b) => b.value - a.value) };
}
