import type { MessageEntity } from "grammy/types";

/** Text as Telegram takes it: formatting is entities over UTF-16 offsets, never markup inside the text. */
export interface FormattedText {
	text: string;
	entities: MessageEntity[];
}

export type Style =
	| { type: "bold" | "italic" | "strikethrough" | "code" | "blockquote" }
	| { type: "pre"; language?: string }
	| { type: "text_link"; url: string };

export const plainText = (text: string): FormattedText => ({ text, entities: [] });

/** One style over the whole text. */
export function styled(text: string, style: Style): FormattedText {
	return text === "" ? plainText("") : { text, entities: [toEntity(style, 0, text.length)] };
}

/** Pieces one after the other, offsets moved along. */
export function joinTexts(pieces: (FormattedText | string)[]): FormattedText {
	let text = "";
	const entities: MessageEntity[] = [];
	for (const piece of pieces) {
		const part = typeof piece === "string" ? plainText(piece) : piece;
		for (const entity of part.entities) entities.push({ ...entity, offset: entity.offset + text.length });
		text += part.text;
	}
	return { text, entities };
}

/** Telegram trims messages; doing it here keeps the offsets right. */
export function trimText({ text, entities }: FormattedText): FormattedText {
	const start = text.length - text.trimStart().length;
	return sliceText({ text, entities }, start, Math.max(start, text.trimEnd().length));
}

/** A part of a text with the parts of its entities; a cut `pre` keeps its language. */
export function sliceText({ text, entities }: FormattedText, start: number, end: number): FormattedText {
	const kept: MessageEntity[] = [];
	for (const entity of entities) {
		const from = Math.max(entity.offset, start);
		const to = Math.min(entity.offset + entity.length, end);
		if (to > from) kept.push({ ...entity, offset: from - start, length: to - from });
	}
	return { text: text.slice(start, end), entities: kept };
}

export function toEntity(style: Style, offset: number, length: number): MessageEntity {
	if (style.type === "pre") return { type: "pre", offset, length, ...(style.language === undefined ? {} : { language: style.language }) };
	if (style.type === "text_link") return { type: "text_link", offset, length, url: style.url };
	return { type: style.type, offset, length };
}
