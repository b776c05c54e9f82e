import type { MessageEntity } from "grammy/types";
import { type FormattedText, type Style, toEntity, trimText } from "./formatted-text.ts";

export interface TextWriter {
	open(style: Style): void;
	close(type: Style["type"]): void;
	write(text: string): void;
	/** Asks for at least this many line ends before what comes next; none at the very beginning. */
	breakLine(lines: 1 | 2): void;
	/** Whether a style of this type is open. */
	isOpen(type: Style["type"]): boolean;
	result(): FormattedText;
}

interface Written {
	style: Style;
	key: string;
	offset: number;
	end: number;
}

/**
 * Writes text under open styles and makes entities that Telegram accepts: code holds nothing else, equal neighbours are one.
 * What is written once is not looked at again before the end, so that twice the text is twice the work.
 */
export function createTextWriter(entities: Written[] = []): TextWriter {
	let text = "";
	let breaks = 0;
	const open: Style[] = [];
	/** Entities that end where the text ends now; only these can go on. */
	let running: Written[] = [];

	const append = (piece: string) => {
		const end = text.length + piece.length;
		running = allowedTogether(open).map((style) => {
			const key = JSON.stringify(style);
			const before = running.find((entity) => entity.key === key);
			if (before !== undefined) return Object.assign(before, { end });
			const entity = { style, key, offset: text.length, end };
			entities.push(entity);
			return entity;
		});
		text += piece;
	};
	const flushBreaks = () => {
		if (breaks > 0 && text !== "") append("\n".repeat(breaks));
		breaks = 0;
	};

	return {
		open(style) {
			flushBreaks();
			open.push(style);
		},
		close(type) {
			const index = open.findLastIndex((style) => style.type === type);
			if (index !== -1) open.splice(index, 1);
		},
		write(piece) {
			if (piece === "") return;
			flushBreaks();
			append(piece);
		},
		breakLine(lines) {
			breaks = Math.max(breaks, lines);
		},
		isOpen: (type) => open.some((style) => style.type === type),
		result() {
			const made: MessageEntity[] = entities.map(({ style, offset, end }) => toEntity(style, offset, end - offset));
			return trimText({ text, entities: made.sort((a, b) => a.offset - b.offset || b.length - a.length) });
		},
	};
}

/** Telegram refuses code inside anything but a quotation, and a style inside itself. */
function allowedTogether(open: Style[]): Style[] {
	const alone = open.find((style) => style.type === "code" || style.type === "pre");
	const candidates = alone === undefined ? open : open.filter((style) => style === alone || style.type === "blockquote");
	return candidates.filter((style, index) => candidates.findIndex((other) => other.type === style.type) === index);
}
