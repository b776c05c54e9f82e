import type { MessageEntity } from "grammy/types";
import { type FormattedText, sliceText } from "./formatted-text.ts";

/** Longest text of a message, in UTF-16 units; and how many entities Telegram keeps of it. */
export const MAX_MESSAGE_CHARS = 4096;
const MAX_MESSAGE_ENTITIES = 100;

/**
 * Cuts a long text into messages on paragraph or line borders, never inside a surrogate pair; a code block that is cut goes on as a code
 * block of the same language. Only the white space at a cut is lost.
 */
export function splitText(whole: FormattedText, limit = MAX_MESSAGE_CHARS, maxParts = Number.POSITIVE_INFINITY): FormattedText[] {
	const parts: FormattedText[] = [];
	const { text, entities } = whole;
	const end = text.trimEnd().length;
	let start = Math.min(end, text.length - text.trimStart().length);
	/** They are in order of their beginning: those before `next` have begun, and of these only the open ones are looked at again. */
	let next = 0;
	let open: MessageEntity[] = [];
	while (start < end && parts.length < maxParts) {
		const near = open.map((entity) => seenFrom(entity, start));
		for (let index = next; near.length <= MAX_MESSAGE_ENTITIES; index++) {
			const entity = entities[index];
			if (entity === undefined || entity.offset > start + limit) break;
			if (endOf(entity) > start) near.push(seenFrom(entity, start));
		}
		const rest: FormattedText = { text: text.slice(start, Math.min(end, start + limit + 1)), entities: near };
		const most = Math.min(limit, lengthWithinEntities(rest));
		const cut = end - start <= most ? end - start : cutBefore(rest, most);
		const part = trimEnd(sliceText(rest, 0, cut));
		if (part.text !== "") parts.push(part);
		start += cut;
		start += leadingBreaks(text.slice(start, Math.min(end, start + limit)));
		for (let entity = entities[next]; entity !== undefined && entity.offset < start; entity = entities[next]) {
			open.push(entity);
			next += 1;
		}
		open = open.filter((entity) => endOf(entity) > start);
	}
	return parts;
}

const endOf = (entity: MessageEntity) => entity.offset + entity.length;

function seenFrom(entity: MessageEntity, start: number): MessageEntity {
	const offset = Math.max(entity.offset, start);
	return { ...entity, offset: offset - start, length: endOf(entity) - offset };
}

/** How much of the text can be sent before the entity that would be one too many. */
function lengthWithinEntities(text: FormattedText): number {
	const first = text.entities[MAX_MESSAGE_ENTITIES];
	return first === undefined ? Number.POSITIVE_INFINITY : Math.max(1, first.offset);
}

function cutBefore({ text, entities }: FormattedText, most: number): number {
	const head = text.slice(0, most + 1);
	const paragraph = head.lastIndexOf("\n\n");
	if (paragraph >= most * 0.8 && !insideCode(entities, paragraph)) return paragraph;
	const line = head.lastIndexOf("\n");
	if (line >= most * 0.5) return line;
	const space = head.lastIndexOf(" ");
	if (space >= most * 0.5) return space;
	return splitsPair(text, most) ? Math.max(1, most - 1) : most;
}

const insideCode = (entities: FormattedText["entities"], at: number) =>
	entities.some((entity) => entity.type === "pre" && entity.offset <= at && at < entity.offset + entity.length);

const splitsPair = (text: string, at: number) => /[\uD800-\uDBFF]/.test(text[at - 1] ?? "") && /[\uDC00-\uDFFF]/.test(text[at] ?? "");

function trimEnd(part: FormattedText): FormattedText {
	return sliceText(part, 0, part.text.trimEnd().length);
}

// Only line ends go: spaces at the start of the next line are the indentation of code.
const leadingBreaks = (text: string) => text.length - text.replace(/^\s*\n|^ (?! )/, "").length;
