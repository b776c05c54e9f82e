import { cutText, cutTextTail } from "@rightseat/protocol/text";
import { expect, test } from "vitest";
import { truncateText } from "./truncate.ts";

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
