import { expect, test } from "vitest";
import { paintFor } from "./colour.ts";
import { fit, pad, widthOf, widthOfCharacter } from "./width.ts";

test.each([
	["plain", 5],
	["漢字", 4],
	["ひらがな", 8],
	["한국", 4],
	["e\u0301", 1],
	["🙂", 2],
	["Ａ", 2],
	["｡", 1],
	["é", 1],
	["", 0],
])("[CL31] columns of %s", (text, columns) => {
	expect(widthOf(text)).toBe(columns);
	expect([...text].reduce((sum, character) => sum + widthOfCharacter(character), 0)).toBe(columns);
});

test("[CL31] a text that does not fit ends with a mark and never takes more columns than there are", () => {
	expect(fit("漢字漢字", 5)).toBe("漢字…");
	expect(fit("漢字漢字", 6)).toBe("漢字…");
	expect(fit("漢字", 4)).toBe("漢字");
	expect(pad("漢", 4)).toBe("漢  ");
});

test.each([
	[{ isTTY: true }, {}, true],
	[{ isTTY: true }, { NO_COLOR: "1" }, false],
	[{ isTTY: true }, { NO_COLOR: "" }, true],
	[{ isTTY: true }, { TERM: "dumb" }, false],
	[{}, {}, false],
	[{}, { FORCE_COLOR: "1" }, true],
	[{ isTTY: true }, { FORCE_COLOR: "0" }, false],
	[{}, { FORCE_COLOR: "1", NO_COLOR: "1" }, false],
])("[CL32] colour on %j with %j: %s", (stream, env, isPainted) => {
	expect(paintFor(stream, env)("x", "bold")).toBe(isPainted ? "\u001b[1mx\u001b[22m" : "x");
});
