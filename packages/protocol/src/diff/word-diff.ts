import { compareLines } from "./line-changes.ts";

/** A part of a line; `changed` where the other line has something else, or nothing. */
export interface WordPiece {
	text: string;
	changed: boolean;
}

/** Longer lines are data, not text that somebody compares word by word. */
export const MAX_WORD_DIFF_CHARS = 500;
/** Lines that share less than this are two lines, not one that was edited. */
const SHARED_PART = 0.3;

/** The words in which an old and a new line differ; undefined where that says nothing: a line is too long, or they have too little in common. */
export function diffWords(before: string, after: string): { before: WordPiece[]; after: WordPiece[] } | undefined {
	if (before.length > MAX_WORD_DIFF_CHARS || after.length > MAX_WORD_DIFF_CHARS) return undefined;
	const old = wordsOf(before);
	const next = wordsOf(after);
	const { changes } = compareLines(old, next);
	const pieces = {
		before: pieced(
			old,
			changes.map(({ oldStart, oldEnd }) => [oldStart, oldEnd]),
		),
		after: pieced(
			next,
			changes.map(({ newStart, newEnd }) => [newStart, newEnd]),
		),
	};
	const shared = pieces.before.reduce((sum, piece) => sum + (piece.changed ? 0 : piece.text.replace(/\s/g, "").length), 0);
	const longest = Math.max(before.replace(/\s/g, "").length, after.replace(/\s/g, "").length);
	return shared >= SHARED_PART * longest ? pieces : undefined;
}

/** Names and numbers, blanks, and every other character by itself: Chinese has no blanks between words. */
const wordsOf = (line: string) => line.match(/[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_]+|\s+|./gsu) ?? [];

function pieced(words: readonly string[], changed: readonly (readonly [number, number])[]): WordPiece[] {
	const pieces: WordPiece[] = [];
	let at = 0;
	const push = (to: number, isChanged: boolean) => {
		if (to > at) pieces.push({ text: words.slice(at, to).join(""), changed: isChanged });
		at = to;
	};
	for (const [start, end] of changed) {
		push(start, false);
		push(end, true);
	}
	push(words.length, false);
	return pieces;
}
