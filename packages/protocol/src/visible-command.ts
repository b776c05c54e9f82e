/** A stretch of text as it is shown; `hidden` marks escapes of characters that a reader could not have seen. */
export interface VisiblePiece {
	text: string;
	hidden: boolean;
}

/**
 * What would run, for the eyes of whoever allows it. Nothing is ever removed: controls, terminal sequences, characters
 * that turn text around or have no shape, and blanks other than the space become `\u{…}`. Only line breaks and tabs stay.
 */
export function visibleCommand(text: string): string {
	return text.replace(HIDDEN, escaped);
}

/** The same in pieces, so that an escape can be told from text that merely looks like one. */
export function visiblePieces(text: string): VisiblePiece[] {
	const pieces: VisiblePiece[] = [];
	let from = 0;
	for (const match of text.matchAll(HIDDEN)) {
		const last = pieces.at(-1);
		if (match.index > from) pieces.push({ text: text.slice(from, match.index), hidden: false });
		// A thousand of them in a row are one piece: each piece is an element on the page.
		if (match.index === from && last?.hidden === true) last.text += escaped(match[0]);
		else pieces.push({ text: escaped(match[0]), hidden: true });
		from = match.index + match[0].length;
	}
	if (from < text.length) pieces.push({ text: text.slice(from), hidden: false });
	return pieces;
}

/** How many characters of the text a reader could not have seen. */
export function countHidden(text: string): number {
	return text.match(HIDDEN)?.length ?? 0;
}

/** One line of at most `maxChars` characters of the text; `more` counts what was left out and has to be told. */
export function visibleLine(text: string, maxChars: number): { text: string; more: number } {
	const end = text.length <= maxChars ? text.length : maxChars - (splitsPair(text, maxChars) ? 1 : 0);
	return { text: visibleCommand(text.slice(0, end)).replace(/[\n\t]/g, (blank) => (blank === "\n" ? "⏎ " : " ")), more: text.length - end };
}

/** Lone surrogates, private use and the blank Braille pattern are drawn as nothing, or as one box for all, by many fonts. */
const HIDDEN = /(?![\n\t ])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Z}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/gu;

const escaped = (character: string) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

function splitsPair(text: string, at: number): boolean {
	const unit = text.charCodeAt(at);
	return unit >= 0xdc00 && unit <= 0xdfff && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}
