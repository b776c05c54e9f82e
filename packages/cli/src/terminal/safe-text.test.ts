import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonLine, safeJson } from "./output.ts";
import { safeLine, safeText, withoutAnsi } from "./safe-text.ts";

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

test.each([
	["the clipboard", "a\u001b]52;c;AAAA\u0007b", "a␛]52;c;AAAA␇b"],
	["a title", "\u001b]0;owned\u001b\\", "␛]0;owned␛\\"],
	["the cursor", "x\u001b[2J\u001b[H\u009b1A\ry", "x␛[2J␛[H\ufffd1A␍y"],
	["the reading direction", "rm \u202egpj.x", "rm \ufffdgpj.x"],
	["deleting", "abc\b\b\u007f", "abc␈␈␡"],
	["nothing", "a\tb\r\nc 漢字 🙂", "a\tb\nc 漢字 🙂"],
])("[CL30] text cannot touch %s of a terminal", (_, text, expected) => {
	expect(safeText(text)).toBe(expected);
});

test("[CL30] whatever a text holds, in whatever pieces it comes, no control reaches the terminal; as JSON it still means the same", () => {
	const hostile = fc
		.array(fc.constantFrom("\u001b", "]", "[", "52;", "\u009b", "\u0007", "\r", "\n", "a", "漢", "\u202e", "\u2028"))
		.map((all) => all.join(""));
	fc.assert(
		fc.property(hostile, fc.nat(), (text, at) => {
			const pieces = [text.slice(0, at % (text.length + 1)), text.slice(at % (text.length + 1))];
			expect(pieces.map(safeText).join("")).not.toMatch(CONTROLS);
			expect(safeLine(text)).not.toMatch(/\n/);
			const line = jsonLine({ text });
			expect(line.slice(0, -1)).not.toMatch(CONTROLS);
			expect(JSON.parse(line)).toEqual({ text });
			expect(JSON.parse(safeJson(JSON.stringify(text)))).toBe(text);
		}),
	);
});

test("[CL30] colours of a program's output leave nothing behind", () => {
	expect(withoutAnsi("\u001b[1;32mok\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007")).toBe("ok link");
});
