import type { TextParts } from "./model-text.ts";
import { boundText } from "./model-text.ts";

/** Lines of an output that match a pattern. The engine takes linear time; patterns that need more are refused. */
export async function filterLines(parts: TextParts, pattern: string, options: FilterOptions): Promise<Filtered> {
	if (pattern.length > MAX_PATTERN_CHARS)
		return { ok: false, text: `The filter is longer than ${MAX_PATTERN_CHARS} characters. Use a shorter one.` };
	// Loaded when first needed; most sessions never filter.
	const { RE2JS } = await import("re2js");
	let matcher: { test(input: string): boolean };
	try {
		matcher = RE2JS.compile(pattern);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		return {
			ok: false,
			text: `The filter is not a valid regular expression (${reason}). Look-around and back-references are not supported.`,
		};
	}
	const { budgetMs = FILTER_BUDGET_MS } = options;
	const began = performance.now();
	function search(text: string): string[] | undefined {
		const found: string[] = [];
		for (const line of linesOf(text)) {
			if (performance.now() - began > budgetMs) return undefined;
			const part = line.length > MAX_LINE_CHARS ? line.slice(0, MAX_LINE_CHARS) : line;
			if (matcher.test(part)) found.push(line);
		}
		return found;
	}
	const whole = parts.gapChars === 0;
	const begin = search(whole ? parts.begin + parts.end : parts.begin);
	const end = begin === undefined || whole ? begin && [] : search(parts.end);
	if (begin === undefined || end === undefined) return { ok: false, text: "The filter took too long. Use a simpler regular expression." };
	const gap = whole ? [] : [`... ${parts.gapChars} characters here were not searched${options.hint} ...`];
	const lines = [...begin, ...gap, ...end];
	const text = lines.length === 0 ? "" : `${lines.join("\n")}\n`;
	return { ok: true, text: boundText({ begin: "", gapChars: 0, end: text }, options.limit, "").text };
}

export interface FilterOptions {
	limit: number;
	/** Where to find what is not held in memory. */
	hint: string;
	budgetMs?: number;
}

export interface Filtered {
	ok: boolean;
	text: string;
}

const MAX_PATTERN_CHARS = 500;
const MAX_LINE_CHARS = 10_000;
export const FILTER_BUDGET_MS = 250;

function linesOf(text: string): string[] {
	if (text === "") return [];
	return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}
