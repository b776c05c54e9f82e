export interface FuzzyMatch {
	score: number;
	/** Indexes of the matched characters, ascending. */
	positions: number[];
}

/** Letters of `query` in order within `text`; word starts, runs and short texts score higher. Undefined without a match. */
export function fuzzyMatch(query: string, text: string): FuzzyMatch | undefined {
	const needle = [...query.toLowerCase()].filter((character) => character.trim() !== "");
	const hay = text.toLowerCase();
	const whole = needle.length === 0 ? -1 : hay.indexOf(needle.join(""));
	const positions = whole >= 0 ? run(whole, needle.join("").length) : scattered(needle, hay);
	if (positions === undefined) return undefined;
	return { score: scoreOf(positions, text), positions };
}

/** The matching items, best first; equal ones keep their order. */
export function fuzzyFilter<T>(query: string, items: readonly T[], textOf: (item: T) => string): T[] {
	if (query.trim() === "") return [...items];
	return items
		.map((item, index) => ({ item, index, match: fuzzyMatch(query, textOf(item)) }))
		.filter((entry) => entry.match !== undefined)
		.sort((a, b) => (b.match?.score ?? 0) - (a.match?.score ?? 0) || a.index - b.index)
		.map((entry) => entry.item);
}

function run(from: number, length: number): number[] {
	return Array.from({ length }, (_, index) => from + index);
}

function scattered(needle: string[], hay: string): number[] | undefined {
	const positions: number[] = [];
	let from = 0;
	for (const character of needle) {
		const at = hay.indexOf(character, from);
		if (at < 0) return undefined;
		positions.push(...run(at, character.length));
		from = at + character.length;
	}
	return positions;
}

function scoreOf(positions: number[], text: string): number {
	let score = 0;
	for (const [index, at] of positions.entries()) {
		if (at === 0 || /[\s/_.:-]/.test(text[at - 1] ?? "")) score += 8;
		else if (/[a-z]/.test(text[at - 1] ?? "") && /[A-Z]/.test(text[at] ?? "")) score += 6;
		if (index > 0 && positions[index - 1] === at - 1) score += 5;
		score += 1;
	}
	return score - Math.min(text.length, 200) / 100;
}
