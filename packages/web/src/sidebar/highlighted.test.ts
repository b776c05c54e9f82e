import fc from "fast-check";
import { expect, test } from "vitest";
import { splitByWords } from "./highlighted.tsx";

test("[PG68] found words are marked and the text stays the same, whatever was typed", () => {
	expect(splitByWords("Fix the build, then test", "TEST build")).toEqual([
		{ text: "Fix the ", hit: false, at: 0 },
		{ text: "build", hit: true, at: 8 },
		{ text: ", then ", hit: false, at: 13 },
		{ text: "test", hit: true, at: 20 },
	]);
	fc.assert(
		fc.property(fc.string(), fc.string(), (text, query) => {
			expect(
				splitByWords(text, query)
					.map((part) => part.text)
					.join(""),
			).toBe(text);
		}),
	);
});
