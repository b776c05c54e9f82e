import { cutText } from "@rightseat/protocol/text";

/** Results of tools go to every reader and into the log; longer ones are cut. */
export const MAX_TOOL_STRING_CHARS = 65_536;
/** Arguments, all of them together: more than a model writes in one answer. A file that was written is shown and exported whole. */
export const MAX_TOOL_VALUE_CHARS = 524_288;
/** What a value that is no text counts, and the name of a field. */
const ITEM_CHARS = 8;
const MAX_DEPTH = 32;

/** The same value, cut where the bound of all of it is reached, so that one tool call cannot fill a log or a screen. */
export function truncateValue(value: unknown): unknown {
	let left = MAX_TOOL_VALUE_CHARS;
	function text(original: string): string {
		const bounded = truncateText(original, left);
		left = Math.max(0, left - bounded.length);
		return bounded;
	}
	function bound(item: unknown, depth: number): unknown {
		left = Math.max(0, left - ITEM_CHARS);
		if (typeof item === "string") return text(item);
		if (typeof item !== "object" || item === null) return item;
		if (depth >= MAX_DEPTH || left === 0) return "…";
		const kept: [string, unknown][] = [];
		for (const [key, inner] of Object.entries(item)) {
			if (left === 0) break;
			kept.push([text(cutText(key, MAX_KEY_CHARS)), bound(inner, depth + 1)]);
		}
		return Array.isArray(item) ? kept.map(([, inner]) => inner) : Object.fromEntries(kept);
	}
	return bound(value, 0);
}
const MAX_KEY_CHARS = 1_000;

/** The beginning and how much is missing; well-formed, also when nothing is cut. */
export function truncateText(text: string, max = MAX_TOOL_STRING_CHARS): string {
	if (text.length <= max) return text.toWellFormed();
	const kept = cutText(text, max);
	return `${kept}\n… ${text.length - kept.length} more characters`;
}
