import { expect, test } from "vitest";
import { controlCharacter, keyBarSequence } from "./key-bar-sequences.ts";

const plain = { ctrl: false, applicationCursor: false };

test("[PG64] the key bar sends what a real keyboard would", () => {
	expect(keyBarSequence("Esc", plain)).toBe("\x1b");
	expect(keyBarSequence("Tab", plain)).toBe("\t");
	expect(keyBarSequence("↑", plain)).toBe("\x1b[A");
	expect(keyBarSequence("←", { ctrl: false, applicationCursor: true })).toBe("\x1bOD");
	expect(keyBarSequence("→", { ctrl: true, applicationCursor: true })).toBe("\x1b[1;5C");
	expect(keyBarSequence("|", plain)).toBe("|");
	expect(keyBarSequence("Ctrl", plain)).toBe("");
	expect(keyBarSequence("^C", plain)).toBe("\x03");
});

test("[PG64] an armed Ctrl turns the next character into its control code", () => {
	expect(controlCharacter("c")).toBe("\x03");
	expect(controlCharacter("[")).toBe("\x1b");
	expect(controlCharacter(" ")).toBe("\0");
	expect(controlCharacter("漢")).toBe("漢");
	expect(controlCharacter("")).toBe("");
});
