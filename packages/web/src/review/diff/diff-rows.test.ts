import { MAX_WORD_DIFF_CHARS } from "@rightseat/protocol/diff/word-diff";
import { expect, test } from "vitest";
import { diffRows } from "./diff-rows.ts";
import type { Hunk, HunkLine } from "./hunk.ts";
import { linePieces } from "./line-pieces.ts";
import { wordMarks } from "./word-diff.ts";

const line = (kind: HunkLine["kind"], text: string): HunkLine => ({ kind, text });
const hunk = (...lines: HunkLine[]): Hunk => ({ id: "h", oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines });

const spelled = (hunks: Hunk[], style: "unified" | "split", limit = 99) =>
	diffRows(hunks, style, limit).rows.map((row) =>
		row.kind === "hunk"
			? "@@"
			: row.kind === "line"
				? `${row.line.text}~${row.mate?.text ?? ""}`
				: `${row.left?.text ?? ""}|${row.right?.text ?? ""}`,
	);

const CHANGED = hunk(line(" ", "a"), line("-", "b"), line("-", "c"), line("+", "B"), line(" ", "d"), line("+", "e"));

test("[PG510] a line knows the one whose place it took, one below the other and side by side", () => {
	expect(spelled([CHANGED], "unified")).toEqual(["@@", "a~", "b~B", "c~", "B~b", "d~", "e~"]);
	expect(spelled([CHANGED], "split")).toEqual(["@@", "a|a", "b|B", "c|", "d|d", "|e"]);
});

test("[PG511] at first a bounded number of lines is drawn, and the rest is counted", () => {
	expect(spelled([CHANGED, CHANGED], "unified", 3)).toEqual(["@@", "a~", "b~", "c~"]);
	expect(diffRows([CHANGED, CHANGED], "unified", 3).total).toBe(12);
});

test("[PG512] words that differ are marked within a line, in Chinese too, unless the lines are strangers or very long", () => {
	expect(wordMarks("const a = 1;", "const b = 1;")).toEqual({ before: [[6, 7]], after: [[6, 7]] });
	expect(wordMarks("檔案已刪除", "檔案未刪除")).toEqual({ before: [[2, 3]], after: [[2, 3]] });
	expect(wordMarks("return cache.get(key);", "// nothing here at all")).toBeUndefined();
	const long = "x ".repeat(MAX_WORD_DIFF_CHARS / 2 + 1);
	expect(wordMarks(long, `${long}y`)).toBeUndefined();
});

test("[PG512] colours and marks share a line, and what cannot be seen is spelled out", () => {
	const pieces = linePieces(
		"let ab\u202e = 1",
		[
			["let", "keyword"],
			[" ab\u202e = 1", ""],
		],
		[[5, 6]],
	);
	expect(pieces.map(({ text, kind, changed, hidden }) => [text, kind, changed, hidden])).toEqual([
		["let", "keyword", false, false],
		[" a", "", false, false],
		["b", "", true, false],
		["\\u{202e}", "", false, true],
		[" = 1", "", false, false],
	]);
	expect(linePieces("ab", [["other text", "string"]], [])).toEqual([{ text: "ab", kind: "", changed: false, hidden: false }]);
});
