import type { TranscriptItem } from "./transcript-items.ts";

/** About as many elements as the transcript may put on the page, whatever the length of the conversation. */
export const MAX_WEIGHT = 1_000;
const STEP_WEIGHT = 350;
const MIN_ITEMS = 6;

export interface Range {
	start: number;
	end: number;
}

/** Roughly how many elements a row needs. */
export function weightOf(item: TranscriptItem): number {
	switch (item.kind) {
		case "prompt":
		case "outbox":
			return 16;
		case "shell":
		case "command":
			return 20;
		case "turn":
			return 60;
		case "answer": {
			const { content, metadata } = item.message;
			return (
				20 +
				metadata.tools.length * 14 +
				Math.min(400, Math.ceil(content.length / 150 + 1.3 * count(content, "\n") + 7 * count(content, "```")))
			);
		}
		default:
			return item;
	}
}

/** The newest rows that fit. */
export function newestRange(items: readonly TranscriptItem[]): Range {
	return { start: backFrom(items, items.length, MAX_WEIGHT - STEP_WEIGHT), end: items.length };
}

/** More above; rows far below are let go when it gets too much. */
export function extendUp(items: readonly TranscriptItem[], range: Range): Range {
	const start = backFrom(items, range.start, STEP_WEIGHT);
	let end = range.end;
	for (let weight = weigh(items, start, end); end - start > MIN_ITEMS && weight > MAX_WEIGHT && end > range.start + 1; ) {
		end--;
		weight -= weigh(items, end, end + 1);
	}
	return { start, end };
}

/** More below; rows far above are let go. */
export function extendDown(items: readonly TranscriptItem[], range: Range): Range {
	let end = range.end;
	for (let weight = 0; end < items.length && (weight < STEP_WEIGHT || end === range.end); end++) weight += weigh(items, end, end + 1);
	let start = range.start;
	for (let weight = weigh(items, start, end); end - start > MIN_ITEMS && weight > MAX_WEIGHT && start < range.end - 1; start++) {
		weight -= weigh(items, start, start + 1);
	}
	return { start, end };
}

/** A window around one row. */
export function rangeAround(items: readonly TranscriptItem[], index: number): Range {
	const start = backFrom(items, index + 1, MAX_WEIGHT / 3);
	return { start, end: extendDown(items, { start, end: index + 1 }).end };
}

function backFrom(items: readonly TranscriptItem[], end: number, weight: number): number {
	let start = end;
	let sum = 0;
	while (start > 0) {
		const item = items[start - 1];
		sum += item === undefined ? 0 : weightOf(item);
		if (sum > weight && end - start >= MIN_ITEMS) break;
		start--;
	}
	return start;
}

function weigh(items: readonly TranscriptItem[], start: number, end: number): number {
	let sum = 0;
	for (let index = start; index < end; index++) {
		const item = items[index];
		if (item !== undefined) sum += weightOf(item);
	}
	return sum;
}

function count(text: string, piece: string): number {
	let found = 0;
	for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + piece.length)) found++;
	return found;
}
