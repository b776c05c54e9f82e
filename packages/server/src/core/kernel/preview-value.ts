import { cutText } from "@rightseat/protocol/text";

/** The same value with its shape and less in it: strings, names and items up to about `maxChars` characters together, from the first on. */
export function previewValue(value: unknown, maxChars: number): unknown {
	let left = maxChars;
	function take(text: string): string {
		const kept = cutText(text, Math.max(0, left));
		left -= kept.length + ITEM_CHARS;
		return kept;
	}
	function preview(item: unknown, depth: number): unknown {
		if (typeof item === "string") return take(item);
		if (typeof item !== "object" || item === null) {
			left -= ITEM_CHARS;
			return item;
		}
		left -= ITEM_CHARS;
		if (Array.isArray(item)) return depth >= MAX_DEPTH ? [] : someOf(item, (inner) => preview(inner, depth + 1));
		const entries = depth >= MAX_DEPTH ? [] : Object.entries(item);
		return Object.fromEntries(someOf(entries, ([name, inner]) => [take(name), preview(inner, depth + 1)]));
	}
	/** As many as there is room for. */
	function someOf<T, R>(items: readonly T[], convert: (item: T) => R): R[] {
		const kept: R[] = [];
		for (const item of items) {
			if (left <= 0) break;
			kept.push(convert(item));
		}
		return kept;
	}
	return preview(value, 0);
}

/** What an item costs beside its text: quotes, commas, a number. */
const ITEM_CHARS = 8;
const MAX_DEPTH = 12;
