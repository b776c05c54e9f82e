import { visiblePieces } from "@rightseat/protocol/visible-command";
import type { CodeLine } from "../../markdown/highlight-port.ts";
import type { Marks } from "./word-diff.ts";

/** A stretch of a line as it is drawn. */
export interface LinePiece {
	readonly text: string;
	/** Of the syntax: `keyword`, `string` …; empty for plain. */
	readonly kind: string;
	/** Differs from the line that it took the place of. */
	readonly changed: boolean;
	/** Spelled out, because nobody could have seen it. */
	readonly hidden: boolean;
}

/** Cuts a line where its colour, its marks or what is visible of it change. */
export function linePieces(text: string, colours: CodeLine | undefined, marks: Marks): LinePiece[] {
	const cuts = new Set<number>();
	for (const mark of marks) for (const cut of mark) cuts.add(cut);
	const coloured =
		colours !== undefined && colours.reduce((sum, [piece]) => sum + piece.length, 0) === text.length ? colours : [[text, ""] as const];
	const pieces: LinePiece[] = [];
	let at = 0;
	for (const [piece, kind] of coloured) {
		const end = at + piece.length;
		const inside = [...cuts].filter((cut) => cut > at && cut < end).sort((a, b) => a - b);
		for (const to of [...inside, end]) {
			const changed = marks.some(([from, until]) => from <= at && to <= until);
			for (const { text: shown, hidden } of visiblePieces(text.slice(at, to))) pieces.push({ text: shown, kind, changed, hidden });
			at = to;
		}
	}
	return pieces;
}
