import { cutText } from "@rightseat/protocol/text";

/** Of a title that we make; people may give longer ones. */
export const MAX_TITLE_CHARS = 80;

/** A title from the first prompt: its first words on one line. */
export function titleFrom(prompt: string): string {
	const line = prompt.trim().replace(/\s+/g, " ");
	if (line.length <= MAX_TITLE_CHARS) return line.toWellFormed();
	const cut = cutText(line, MAX_TITLE_CHARS);
	const space = cut.lastIndexOf(" ");
	return `${space > MAX_TITLE_CHARS / 2 ? cut.slice(0, space) : cut}…`;
}
