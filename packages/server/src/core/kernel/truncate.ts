import { cutText } from "@rightseat/protocol/text";

/** Arguments and results of tools go to every reader and into the log; longer strings in them are cut. */
export const MAX_TOOL_STRING_CHARS = 65_536;
/** All strings of one value together: many that each fit would fill a log just as well. */
export const MAX_TOOL_VALUE_CHARS = 524_288;
const MAX_DEPTH = 12;
const MAX_ITEMS = 1_000;

/** The same value with long strings cut, so that one tool call cannot fill a log or a screen. */
export function truncateValue(value: unknown): unknown {
	let left = MAX_TOOL_VALUE_CHARS;
	function text(original: string): string {
		const bounded = truncateText(original, Math.min(MAX_TOOL_STRING_CHARS, left));
		left = Math.max(0, left - bounded.length);
		return bounded;
	}
	function bound(item: unknown, depth: number): unknown {
		if (typeof item === "string") return text(item);
		if (typeof item !== "object" || item === null) return item;
		if (depth >= MAX_DEPTH || left === 0) return "…";
		if (Array.isArray(item)) return item.slice(0, MAX_ITEMS).map((inner) => bound(inner, depth + 1));
		const entries = Object.entries(item).slice(0, MAX_ITEMS);
		return Object.fromEntries(entries.map(([key, inner]) => [truncateText(key, MAX_KEY_CHARS), bound(inner, depth + 1)]));
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
