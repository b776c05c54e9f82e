import type { Paint, Style } from "./colour.ts";
import { widthOf, widthOfCharacter } from "./width.ts";

/** A stretch of text that looks the same throughout. */
export interface Piece {
	text: string;
	styles: readonly Style[];
}

/** Breaks at blanks, and beside CJK characters at any of them; a word that is longer than a row is cut. */
const WORDS = /[ \t]+|[\u1100-\uffff\u{10000}-\u{3ffff}]|[^ \t\u1100-\uffff\u{10000}-\u{3ffff}]+/gu;

/** Rows of at most `columns`; all but the first begin with `hanging`. */
export function wrapPieces(pieces: readonly Piece[], columns: number, paint: Paint, hanging = ""): string[] {
	const rows: string[] = [];
	let [row, width] = ["", 0];
	const room = Math.max(8, columns);
	const breakRow = () => {
		rows.push(row);
		row = hanging;
		width = widthOf(hanging);
	};
	for (const { text, styles } of pieces) {
		for (const [word] of text.matchAll(WORDS)) {
			const more = widthOf(word);
			if (/^[ \t]/.test(word)) {
				if (width + more >= room) breakRow();
				else if (row !== hanging || rows.length === 0) {
					row += word;
					width += more;
				}
				continue;
			}
			if (width + more > room && width > widthOf(hanging)) breakRow();
			for (const part of partsOf(word, room - width, room - widthOf(hanging))) {
				if (part !== "" && width + widthOf(part) > room) breakRow();
				row += paint(part, ...styles);
				width += widthOf(part);
			}
		}
	}
	return [...rows, row];
}

/** A word in parts: the first fits `first` columns, each further one `rest`. */
function partsOf(word: string, first: number, rest: number): string[] {
	if (widthOf(word) <= first) return [word];
	const parts: string[] = [];
	let [part, width, room] = ["", 0, Math.max(1, first)];
	for (const character of word) {
		const more = widthOfCharacter(character);
		if (width + more > room && part !== "") {
			parts.push(part);
			[part, width, room] = ["", 0, Math.max(1, rest)];
		}
		part += character;
		width += more;
	}
	return [...parts, part];
}
