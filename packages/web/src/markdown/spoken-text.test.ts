import { expect, test } from "vitest";
import { spokenText } from "./spoken-text.ts";

test("[PG33] what is read aloud of an answer has no marks of Markdown", () => {
	const answer =
		"# Done\n\n*All* of it: **two** files, `a_b.ts` and [the guide](https://example.com/a).\nSee ![a chart](x.png)\n\n1. one\n2. ~~two~~\n\n```ts\nconst a = 2 * 3;\n```\n";
	expect(spokenText(answer, 300)).toBe("Done All of it: two files, a_b.ts and the guide. See a chart one two const a = 2 * 3;");
});

test("[PG33] what is read aloud is cut between words and never within a character", () => {
	expect(spokenText("one two three", 9)).toBe("one two…");
	expect(spokenText("回答完成了沒有", 4)).toBe("回答完成…");
	expect(spokenText("ab😀😀", 3)).toBe("ab…");
	expect(spokenText("x".repeat(1_000_000), 300)).toHaveLength(301);
	expect(spokenText("**", 300)).toBe("**");
	expect(spokenText("", 300)).toBe("");
});
