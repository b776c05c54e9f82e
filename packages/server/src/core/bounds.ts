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
	return `${text.slice(0, max).toWellFormed()}\n… ${text.length - max} more characters`;
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
