import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzzyFilter, fuzzyMatch } from "./fuzzy-match.ts";

test("[PG54] letters in order match, word starts come first, and Chinese is found", () => {
	const files = ["packages/web/src/terminal/key-bar.ts", "packages/server/src/keel.ts", "docs/kitchen-bars.md"];
	expect(fuzzyFilter("keyb", files, (file) => file)[0]).toBe("packages/web/src/terminal/key-bar.ts");
	expect(fuzzyFilter("zzz", files, (file) => file)).toEqual([]);
	expect(fuzzyFilter("", files, (file) => file)).toEqual(files);
	expect(fuzzyMatch("設定", "開啟設定")?.positions).toEqual([2, 3]);
});

test("[PG54] a match names only characters of the query, in order", () => {
	fc.assert(
		fc.property(fc.stringMatching(/^[a-c ]{0,6}$/), fc.stringMatching(/^[a-cA-C/ ]{0,20}$/), (query, text) => {
			const match = fuzzyMatch(query, text);
			if (match === undefined) return;
			const letters = match.positions.map((at) => text[at]?.toLowerCase()).join("");
			expect(letters).toBe(query.replaceAll(" ", ""));
			expect(match.positions).toEqual([...match.positions].sort((a, b) => a - b));
		}),
	);
});
