import fc from "fast-check";
import { expect, test } from "vitest";
import { findMention, insertMention } from "./mention.ts";

test("[PG52] an @ at the start of a word opens a file mention, one inside a word does not", () => {
	expect(findMention("look at @src/a", 14)).toEqual({ start: 8, end: 14, query: "src/a" });
	expect(findMention("@", 1)).toEqual({ start: 0, end: 1, query: "" });
	expect(findMention("請看（@讀我", 6)?.query).toBe("讀我");
	expect(findMention("me@example.org", 14)).toBeUndefined();
	expect(findMention("@done and more", 14)).toBeUndefined();
});

test("[PG52] choosing a file replaces what was typed and leaves the rest untouched", () => {
	expect(insertMention("see @rea now", { start: 4, end: 8, query: "rea" }, "README.md")).toEqual({ text: "see @README.md now", caret: 15 });
	expect(insertMention("@", { start: 0, end: 1, query: "" }, "my notes.md").text).toBe('@"my notes.md" ');
	fc.assert(
		fc.property(fc.string(), fc.string(), fc.stringMatching(/^[\w/.-]+$/), (before, after, path) => {
			const text = `${before} @x${after}`;
			const mention = findMention(text, before.length + 3);
			if (mention === undefined) return;
			const result = insertMention(text, mention, path);
			expect(result.text.startsWith(`${before} @${path} `)).toBe(true);
			expect(result.text.endsWith(after)).toBe(true);
			expect(result.text.slice(0, result.caret)).toBe(`${before} @${path} `);
		}),
	);
});
