import { cutText, cutTextTail } from "@rightseat/protocol/text";
import type { TextParts } from "./model-text.ts";

/** Keeps the beginning and the end of a text of any length, and counts the rest. */
export interface TextWindow {
	push(text: string): void;
	/** About so many characters came that nobody looked at; what was held of the end is no longer the end. */
	skip(chars: number): void;
	readonly totalChars: number;
	parts(): TextParts;
	/** The same, without what came before `offset`. */
	since(offset: number): TextParts;
	/** Gives memory back once nothing more comes. */
	compact(headChars: number, tailChars: number): void;
}

export function createTextWindow(limits: { headChars: number; tailChars: number }): TextWindow {
	let head = "";
	let headChars = limits.headChars;
	let tail: string[] = [];
	let tailLength = 0;
	let total = 0;
	/** Unknown once something was skipped. */
	let newlines: number | undefined = 0;

	function tailText(): string {
		const text = tail.length === 1 ? (tail[0] ?? "") : tail.join("");
		tail = [text];
		return text;
	}

	return {
		push(text) {
			if (text === "") return;
			if (head.length < headChars) {
				head += cutText(text, headChars - head.length);
				// A character that did not fit whole ends the head one short; nothing else may follow it there.
				if (total + text.length > head.length) headChars = head.length;
			}
			total += text.length;
			if (newlines !== undefined) newlines += countNewlines(text);
			tail.push(text);
			tailLength += text.length;
			// Twice the wanted length before cutting, so that the cost per character stays constant.
			if (tailLength > 2 * limits.tailChars || tail.length > 1_024) {
				const kept = cutTextTail(tailText(), limits.tailChars);
				tail = [kept];
				tailLength = kept.length;
			}
		},
		skip(chars) {
			total += chars;
			newlines = undefined;
			tail = [];
			tailLength = 0;
		},
		get totalChars() {
			return total;
		},
		parts() {
			const end = tailText();
			const endStart = total - end.length;
			const begin = head.slice(0, Math.min(head.length, endStart));
			const gap = { begin, gapChars: endStart - begin.length, end };
			return newlines === undefined ? gap : { ...gap, gapNewlines: newlines - countNewlines(begin) - countNewlines(end) };
		},
		since(offset) {
			const { begin, gapChars, end } = this.parts();
			if (gapChars === 0) return { begin: "", gapChars: 0, end: (begin + end).slice(offset) };
			const endStart = total - end.length;
			const skipped = Math.max(0, endStart - offset);
			return { begin: "", gapChars: skipped, end: end.slice(Math.max(0, offset - endStart)) };
		},
		compact(newHeadChars, newTailChars) {
			if (total <= newHeadChars + newTailChars) return;
			head = copied(cutText(head, newHeadChars));
			headChars = 0;
			const kept = copied(cutTextTail(tailText(), newTailChars));
			tail = [kept];
			tailLength = kept.length;
		},
	};
}

export function countNewlines(text: string): number {
	let count = 0;
	for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
	return count;
}

/** A slice keeps the whole string that it was cut from alive; a copy does not. */
function copied(text: string): string {
	return Buffer.from(text, "utf16le").toString("utf16le");
}
