/** Arguments and results of tools go to every reader and into the log; longer strings in them are cut. */
export const MAX_TOOL_STRING_CHARS = 65_536;
const MAX_DEPTH = 12;
const MAX_ITEMS = 1_000;

/** The same value with long strings cut, so that one tool call cannot fill a log or a screen. */
export function boundValue(value: unknown, depth = 0): unknown {
	if (typeof value === "string") return boundText(value);
	if (typeof value !== "object" || value === null) return value;
	if (depth >= MAX_DEPTH) return "…";
	if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => boundValue(item, depth + 1));
	return Object.fromEntries(
		Object.entries(value)
			.slice(0, MAX_ITEMS)
			.map(([key, item]) => [key, boundValue(item, depth + 1)]),
	);
}

export function boundText(text: string, max = MAX_TOOL_STRING_CHARS): string {
	if (text.length <= max) return text.toWellFormed();
	const kept = cutText(text, max);
	return `${kept}\n… ${text.length - kept.length} more characters`;
}

/** The first `max` UTF-16 units, one fewer where a character of two units would be split; what has no other half becomes U+FFFD. */
export function cutText(text: string, max: number): string {
	return (text.length > max && isPair(text, max) ? text.slice(0, max - 1) : text.slice(0, max)).toWellFormed();
}

/** The last `max` UTF-16 units, cut by the same rule. */
export function cutTextTail(text: string, max: number): string {
	const from = Math.max(0, text.length - max);
	return text.slice(isPair(text, from) ? from + 1 : from).toWellFormed();
}

/** Do the units before and at `index` make one character? */
function isPair(text: string, index: number): boolean {
	const before = text.charCodeAt(index - 1);
	const at = text.charCodeAt(index);
	return before >= 0xd800 && before <= 0xdbff && at >= 0xdc00 && at <= 0xdfff;
}

/** A short, stable fingerprint (53 bits), to tell a repeated request from a reused id. */
export function fingerprint(text: string): string {
	let a = 0xdeadbeef;
	let b = 0x41c6ce57;
	for (let index = 0; index < text.length; index += 1) {
		const code = text.charCodeAt(index);
		a = Math.imul(a ^ code, 2654435761);
		b = Math.imul(b ^ code, 1597334677);
	}
	a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
	b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
	return `${(b >>> 0).toString(16).padStart(8, "0")}${(a >>> 0).toString(16).padStart(8, "0")}`;
}
