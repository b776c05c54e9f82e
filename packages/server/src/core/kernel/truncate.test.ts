import { cutText, cutTextTail } from "@rightseat/protocol/text";
import { expect, test } from "vitest";
import { MAX_TOOL_VALUE_CHARS, truncateText, truncateValue } from "./truncate.ts";

const HAN = "\u{20000}";

test("[HT100] a cut never leaves half a character, from the front or from the end", () => {
	for (let max = 0; max <= 12; max += 1) {
		for (const text of [HAN.repeat(6), `a${HAN.repeat(5)}`, "plain text here", `${HAN}a${HAN}b${HAN}`]) {
			for (const cut of [cutText(text, max), cutTextTail(text, max)]) {
				expect(cut.isWellFormed()).toBe(true);
				expect(cut).not.toContain("\ufffd");
				expect(cut.length).toBeLessThanOrEqual(max);
				expect(cut.length).toBeGreaterThanOrEqual(Math.min(max, text.length) - 1);
			}
			expect(text.startsWith(cutText(text, max))).toBe(true);
			expect(text.endsWith(cutTextTail(text, max))).toBe(true);
		}
	}
	expect(cutText("\ud840", 5)).toBe("\ufffd");
});

test("[HT100] what is left out is counted from where the cut was made", () => {
	expect(truncateText(`a${HAN}${HAN}`, 2)).toBe("a\n… 4 more characters");
});

test("[HT210] a tool's arguments are kept whole up to one bound, whatever their shape, and what is cut says so", () => {
	const content = "x".repeat(MAX_TOOL_VALUE_CHARS - 1_000);
	for (const whole of [
		{ path: "a", content },
		{ lines: Array.from({ length: 20_000 }, (_, index) => `${index}`) },
		{ a: [{ b: [1, null, true] }] },
	])
		expect(truncateValue(whole)).toEqual(whole);
	const cut = JSON.stringify(truncateValue({ path: "a", content: content.repeat(3) }));
	expect(cut.length).toBeLessThan(MAX_TOOL_VALUE_CHARS + 100);
	expect(cut).toMatch(/… \d+ more characters"}$/);
	let deep: unknown = "bottom";
	for (let depth = 0; depth < 10_000; depth += 1) deep = [deep];
	for (const endless of [deep, Array.from({ length: 1_000_000 }, (_, index) => index), { a: Array(50).fill(content) }])
		expect(JSON.stringify(truncateValue(endless)).length).toBeLessThan(MAX_TOOL_VALUE_CHARS + 1_000);
});
