/** Columns that a text takes on a terminal: two for CJK and most emoji, none for marks that sit on another character. */
export function widthOf(text: string): number {
	if (/^[ -~]*$/.test(text)) return text.length;
	let width = 0;
	for (const character of text) width += widthOfCharacter(character);
	return width;
}

/** Of one code point. */
export function widthOfCharacter(character: string): 0 | 1 | 2 {
	if (character >= " " && character <= "~") return 1;
	if (NO_WIDTH.test(character)) return 0;
	return WIDE.test(character) ? 2 : 1;
}

/** The beginning of a text that fits, with `…` where something was left out. */
export function fit(text: string, columns: number): string {
	if (widthOf(text) <= columns) return text;
	let [kept, width] = ["", 0];
	for (const character of text) {
		const more = widthOfCharacter(character);
		if (width + more > columns - 1) break;
		kept += character;
		width += more;
	}
	return columns <= 0 ? "" : `${kept}…`;
}

/** As wide as the column. */
export const pad = (text: string, columns: number) => text + " ".repeat(Math.max(0, columns - widthOf(text)));

const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]/u;
const WIDE =
	/^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;
