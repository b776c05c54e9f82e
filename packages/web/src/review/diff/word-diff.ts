import { diffWords, type WordPiece } from "@rightseat/protocol/diff/word-diff";

/** Stretches of a line that the other one has not, as [from, to). */
export type Marks = readonly (readonly [from: number, to: number])[];

/** What changed within a line that took the place of another; undefined when they are too long or too different to say. */
export function wordMarks(before: string, after: string): { before: Marks; after: Marks } | undefined {
	const words = diffWords(before, after);
	return words === undefined ? undefined : { before: marksOf(words.before), after: marksOf(words.after) };
}

function marksOf(pieces: readonly WordPiece[]): Marks {
	let at = 0;
	return pieces.flatMap(({ text, changed }) => {
		const from = at;
		at += text.length;
		return changed ? [[from, at] as const] : [];
	});
}
