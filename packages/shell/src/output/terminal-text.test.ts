import { StringDecoder } from "node:string_decoder";
import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_LINE_CHARS } from "./terminal-line.ts";
import { createTerminalText, MAX_SEQUENCE_CHARS } from "./terminal-text.ts";

const ESC = "\x1b";

/** Cleans bytes that arrive in these pieces. */
function clean(...pieces: (string | Uint8Array)[]): string {
	const decoder = new StringDecoder("utf8");
	const terminal = createTerminalText();
	const text = pieces.map((piece) => terminal.write(decoder.write(Buffer.from(piece)))).join("");
	return text + terminal.write(decoder.end()) + terminal.end();
}

test.each([
	["colours", `${ESC}[1;31mred${ESC}[0m plain`, "red plain"],
	["window title ended by BEL", `${ESC}]0;title\x07after`, "after"],
	["link ended by ST", `${ESC}]8;;http://x${ESC}\\link${ESC}]8;;${ESC}\\`, "link"],
	["clipboard", `a${ESC}]52;c;aGk=\x07b`, "ab"],
	["device control string", `a${ESC}Pq#0;2;0;0;0${ESC}\\b`, "ab"],
	["application command", `a${ESC}_G data${ESC}\\b`, "ab"],
	["privacy message", `a${ESC}^x${ESC}\\b`, "ab"],
	["charset choice", `a${ESC}(Bb`, "ab"],
	["keypad mode", `a${ESC}=b`, "ab"],
	["private mode", `a${ESC}[?25lb${ESC}[?25h`, "ab"],
	["8-bit CSI", "a\u009b31mb", "ab"],
	["8-bit OSC", "a\u009d0;t\u009cb", "ab"],
	["other C1, BEL, shifts", "a\x84\x07\x0e\x0f\x0cb", "ab"],
	["tab and newline stay", "a\tb\nc", "a\tb\nc"],
	["an escape inside a string begins a sequence", `${ESC}]0;t${ESC}[31mred`, "red"],
	["cancelled sequence", `a${ESC}[3\x18b`, "ab"],
])("[SH28] control sequences are gone: %s", (_name, input, expected) => {
	expect(clean(input)).toBe(expected);
});

test.each([
	["progress", "  0%\r 50%\r100%\n", "100%\n"],
	["shorter text leaves the rest, as on a screen", "aaaa\rbb\n", "bbaa\n"],
	["erase to the end of the line", `aaaa\rbb${ESC}[K\n`, "bb\n"],
	["erase the line", `aaaa${ESC}[2Kbb\n`, "bb\n"],
	["line ends of two characters", "a\r\nb\r\n", "a\nb\n"],
	["backspace", "abc\b\bX\n", "aXc\n"],
	["overstrike", "N\bNA\bAM\bM\n", "NAM\n"],
	["column", `abc${ESC}[1GX\n`, "Xbc\n"],
	["left and right", `abc${ESC}[2DX${ESC}[1C!\n`, "aXc!\n"],
	["wide characters are overwritten whole", "😀😀\rab\n", "ab\n"],
	["home starts a new line", `abc${ESC}[Hdef`, "abc\ndef"],
])("[SH29] what rewrites a line leaves only its last state: %s", (_name, input, expected) => {
	expect(clean(input)).toBe(expected);
});

test("[SH29] 40,000 progress frames are one line", () => {
	const frames = Array.from({ length: 40_000 }, (_, i) => `\r${Math.floor(i / 400)}% done`).join("");
	expect(clean(`${frames}\r100% done\n`)).toBe("100% done\n");
});

test("[SH30] characters that hide or reorder text are shown by number; joiners of scripts and emoji stay", () => {
	expect(clean("a\u202eb\u2066c\u200bd\ufeffe\u{e0041}f")).toBe("a\\u202eb\\u2066c\\u200bd\\ufeffe\\u{e0041}f");
	expect(clean("👨‍👩‍👧 می‌خواهم")).toBe("👨‍👩‍👧 می‌خواهم");
});

test("[SH31] a sequence without an end swallows its line at most, and never more than its bound", () => {
	expect(clean(`a${ESC}]0;never ended\nb`)).toBe("a\nb");
	const long = "x".repeat(MAX_SEQUENCE_CHARS + 100);
	expect(clean(`${ESC}]${long}`)).toHaveLength(100);
	expect(clean(`${ESC}[${"1;".repeat(MAX_SEQUENCE_CHARS)}m!`).endsWith("m!")).toBe(true);
});

test("[SH32] a character cut between two pieces arrives whole; a broken one is replaced", () => {
	const euro = Buffer.from("€");
	expect(clean(euro.subarray(0, 1), euro.subarray(1))).toBe("€");
	expect(clean(Buffer.from([0x61, 0xff, 0x62]))).toBe("a\ufffdb");
});

test("[SH36] a line without an end is given out in pieces", () => {
	const terminal = createTerminalText();
	const out = terminal.write("x".repeat(3 * MAX_LINE_CHARS));
	expect(out.length).toBe(3 * MAX_LINE_CHARS);
	expect(terminal.pending().length).toBeLessThan(MAX_LINE_CHARS);
});

const piece = fc.oneof(
	fc.string({ unit: "binary" }),
	fc.constantFrom(
		`${ESC}[31m`,
		`${ESC}]0;t\x07`,
		`${ESC}]8;;u${ESC}\\`,
		`${ESC}Pq`,
		"\r",
		"\n",
		"\r\n",
		"\b",
		`${ESC}[K`,
		`${ESC}[3D`,
		"\u009b1m",
	),
	fc.constantFrom("ab", "中文", "😀", "\u202e", "\u{e0041}", `${ESC}`, `${ESC}[`, "\x00"),
	fc.integer({ min: 0, max: 2 }).map((n) => "y".repeat(n * (MAX_LINE_CHARS - 1))),
);
const bytes = fc.oneof(
	{ weight: 3, arbitrary: fc.array(piece, { maxLength: 12 }).map((parts) => Buffer.from(parts.join(""))) },
	{ weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array)) },
);

test("[SH35] bytes that no terminal acts upon are shown by their number", () => {
	expect(clean("a\0\x01b\x7f\x1f\n")).toBe("a\\x00\\x01b\\x7f\\x1f\n");
});

test("[SH28] the text is the same wherever the input is cut, and holds no control characters", () => {
	fc.assert(
		fc.property(bytes, fc.array(fc.nat(), { maxLength: 8 }), (input, cuts) => {
			const whole = clean(input);
			const at = [...cuts.map((cut) => cut % (input.length + 1)), 0, input.length].sort((a, b) => a - b);
			const pieces = at.slice(1).map((end, index) => input.subarray(at[index], end));
			expect(clean(...pieces)).toBe(whole);
			expect(whole).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
			expect(whole.isWellFormed()).toBe(true);
		}),
		{ numRuns: 400 },
	);
});

test("[SH28] a known stream gives the same text when it is cut at every single byte", () => {
	const input = Buffer.from(`é${ESC}[1m中😀\r\n${ESC}]0;t\x07p 1%\rp 2%\r${ESC}[2Kdone\b!${ESC}Pz${ESC}\\\u202e\u{e0041}\n\u009b2mend`);
	const whole = clean(input);
	for (let at = 0; at <= input.length; at++) expect(clean(input.subarray(0, at), input.subarray(at))).toBe(whole);
	expect(clean(...[...input].map((byte) => Buffer.from([byte])))).toBe(whole);
});
