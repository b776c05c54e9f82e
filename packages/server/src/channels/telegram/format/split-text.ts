import { type FormattedText, sliceText, trimText } from "./formatted-text.ts";

/** Longest text of a message, in UTF-16 units; and how many entities Telegram keeps of it. */
export const MAX_MESSAGE_CHARS = 4096;
export const MAX_MESSAGE_ENTITIES = 100;

/**
 * Cuts a long text into messages on paragraph or line borders, never inside a surrogate pair; a code block that is cut goes on as a code
 * block of the same language. Only the white space at a cut is lost.
 */
export function splitText(whole: FormattedText, limit = MAX_MESSAGE_CHARS): FormattedText[] {
	const parts: FormattedText[] = [];
	let rest = trimText(whole);
	while (rest.text !== "") {
		const most = Math.min(limit, lengthWithinEntities(rest));
		if (rest.text.length <= most) return [...parts, rest];
		const cut = cutBefore(rest, most);
		parts.push(trimEnd(sliceText(rest, 0, cut)));
		rest = trimLeadingBreaks(sliceText(rest, cut, rest.text.length));
	}
	return parts;
}

/** How much of the text can be sent before the entity that would be one too many. */
function lengthWithinEntities(text: FormattedText): number {
	const first = text.entities[MAX_MESSAGE_ENTITIES];
	return first === undefined ? text.text.length : Math.max(1, first.offset);
}

function cutBefore({ text, entities }: FormattedText, most: number): number {
	const head = text.slice(0, most + 1);
	const paragraph = head.lastIndexOf("\n\n");
	if (paragraph >= most * 0.8 && !insideCode(entities, paragraph)) return paragraph;
	const line = head.lastIndexOf("\n");
	if (line >= most * 0.5) return line;
	const space = head.lastIndexOf(" ");
	if (space >= most * 0.5) return space;
	return splitsPair(text, most) ? most - 1 : most;
}

const insideCode = (entities: FormattedText["entities"], at: number) =>
	entities.some((entity) => entity.type === "pre" && entity.offset <= at && at < entity.offset + entity.length);

const splitsPair = (text: string, at: number) => /[\uD800-\uDBFF]/.test(text[at - 1] ?? "") && /[\uDC00-\uDFFF]/.test(text[at] ?? "");

function trimEnd(part: FormattedText): FormattedText {
	return sliceText(part, 0, part.text.trimEnd().length);
}

// Only line ends go: spaces at the start of the next line are the indentation of code.
function trimLeadingBreaks(part: FormattedText): FormattedText {
	const start = part.text.length - part.text.replace(/^\s*\n|^ (?! )/, "").length;
	return sliceText(part, start, part.text.length);
}
