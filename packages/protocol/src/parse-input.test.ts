import { expect, test } from "vitest";
import { isShellLine, parseInput } from "./parse-input.ts";

test.each(["!ls -l", "！ls -l", "  ！ ls -l "])("[TG113] both exclamation marks run a command: %s", (text) => {
	expect(parseInput(text)).toEqual({ kind: "shell", command: "ls -l" });
	expect(isShellLine(text)).toBe(true);
});

test("[TG113] a mark alone is nothing, and one inside a text is text", () => {
	expect([parseInput("！"), parseInput(" ! ")]).toEqual([{ kind: "empty" }, { kind: "empty" }]);
	expect(parseInput("好！ls")).toEqual({ kind: "prompt", prompt: "好！ls" });
});
