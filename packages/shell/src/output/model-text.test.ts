import fc from "fast-check";
import { expect, test } from "vitest";
import { boundText } from "./model-text.ts";
import { createTextWindow } from "./text-window.ts";

const numbers = Array.from({ length: 150_000 }, (_, i) => `${i + 1}\n`).join("");

test("[SH33] a long text keeps beginning and end within the limit, and the marker counts what is missing", () => {
	const window = createTextWindow({ headChars: 65_536, tailChars: 131_072 });
	for (let at = 0; at < numbers.length; at += 65_536) window.push(numbers.slice(at, at + 65_536));
	const { text, omittedChars } = boundText(window.parts(), 29_000, "; full output: /file");
	expect(text.length).toBeLessThanOrEqual(29_000);
	expect(text.startsWith("1\n2\n")).toBe(true);
	expect(text.endsWith("149999\n150000\n")).toBe(true);
	const marker = /\n\.\.\. (\d+) characters \((\d+) lines\) left out here; full output: \/file \.\.\.\n/.exec(text);
	const shown = text.replace(marker?.[0] ?? "", "\n");
	expect(Number(marker?.[1])).toBe(omittedChars);
	expect(numbers.length - shown.length).toBe(omittedChars);
	expect(150_000 - (shown.split("\n").length - 1)).toBe(Number(marker?.[2]));
});

test("[SH33] a text within the limit is not touched", () => {
	expect(boundText({ begin: "", gapChars: 0, end: "a".repeat(1_000) }, 1_000, "")).toEqual({ text: "a".repeat(1_000), omittedChars: 0 });
});

test("[SH33] one endless line is cut between characters, never inside one", () => {
	const { text } = boundText({ begin: "", gapChars: 0, end: "😀".repeat(5_000) }, 3_001, "");
	expect(text.isWellFormed()).toBe(true);
	expect(text).not.toContain("\ufffd");
	expect(text.length).toBeLessThanOrEqual(3_001);
});

test("[SH36] the window holds a bounded beginning and end of any text, and counts the rest", () => {
	const limits = { headChars: 50, tailChars: 80 };
	fc.assert(
		fc.property(fc.array(fc.string({ maxLength: 60 }), { maxLength: 30 }), (pieces) => {
			const window = createTextWindow(limits);
			for (const piece of pieces) window.push(piece);
			const whole = pieces.join("");
			const { begin, gapChars, gapNewlines = 0, end } = window.parts();
			expect(begin.length + gapChars + end.length).toBe(whole.length);
			expect(whole.startsWith(begin)).toBe(true);
			expect(whole.endsWith(end)).toBe(true);
			expect(end.length).toBeGreaterThanOrEqual(Math.min(whole.length, limits.tailChars));
			expect(end.length).toBeLessThanOrEqual(2 * limits.tailChars);
			expect(gapNewlines).toBe(whole.slice(begin.length, begin.length + gapChars).split("\n").length - 1);
			const offset = Math.floor(whole.length / 2);
			const since = window.since(offset);
			expect(since.gapChars + since.end.length).toBe(whole.length - offset);
			window.compact(10, 20);
			const after = window.parts();
			expect(after.begin.length + after.gapChars + after.end.length).toBe(whole.length);
		}),
	);
});
