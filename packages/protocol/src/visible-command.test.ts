import { expect, test } from "vitest";
import { countHidden, visibleCommand, visibleLine, visiblePieces } from "./visible-command.ts";

test("[PG200] nothing of a command is removed: what hides or turns text becomes a visible escape", () => {
	const attack = `ls #\u001b]\ntouch PWNED\n#\u0007 end`;
	expect(visibleCommand(attack)).toBe("ls #\\u{1b}]\ntouch PWNED\n#\\u{7} end");
	expect(visibleCommand("a\u202eb\u2066c\u200bd\u{e0041}e\ufe0ff\u00adg\u3164h\u2800i")).toBe(
		"a\\u{202e}b\\u{2066}c\\u{200b}d\\u{e0041}e\\u{fe0f}f\\u{ad}g\\u{3164}h\\u{2800}i",
	);
	expect(visibleCommand("x\r\ny\u2028z\u0085\u009b1m\u00a0\u3000\ud800")).toBe(
		"x\\u{d}\ny\\u{2028}z\\u{85}\\u{9b}1m\\u{a0}\\u{3000}\\u{d800}",
	);
	expect(visibleCommand("tab\tstays, 中文 é 😀 too\n")).toBe("tab\tstays, 中文 é 😀 too\n");
});

test("[PG200] every code point is either shown as it is or spelled out, and can be read back", () => {
	const wrong: string[] = [];
	for (let code = 0; code <= 0x10ffff; code += code < 0x3100 || code > 0xe0000 ? 1 : 37) {
		const character = String.fromCodePoint(code);
		const pieces = visiblePieces(character);
		const spelled = `\\u{${code.toString(16)}}`;
		const right = pieces.length === 1 && pieces[0]?.text === (pieces[0]?.hidden ? spelled : character);
		if (!right) wrong.push(spelled);
	}
	expect(wrong).toEqual([]);
});

test("[PG200] an escape is told from text that looks like one", () => {
	expect(visiblePieces("echo \\u{1b}\u001b\u202e[1m")).toEqual([
		{ text: "echo \\u{1b}", hidden: false },
		{ text: "\\u{1b}\\u{202e}", hidden: true },
		{ text: "[1m", hidden: false },
	]);
	expect(countHidden("a\u001bb\u202ec\n")).toBe(2);
});

test("[PG201] a shortened line says how many characters are missing and splits none of them", () => {
	expect(visibleLine("ls\nrm -rf x", 100)).toEqual({ text: "ls⏎ rm -rf x", more: 0 });
	expect(visibleLine("abcdef", 4)).toEqual({ text: "abcd", more: 2 });
	expect(visibleLine("abc😀def", 4)).toEqual({ text: "abc", more: 5 });
	expect(visibleLine("ab\u001bcdef", 3)).toEqual({ text: "ab\\u{1b}", more: 4 });
});
