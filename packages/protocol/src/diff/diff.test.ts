import fc from "fast-check";
import { expect, test } from "vitest";
import { SEED } from "../../../../test/support/seed.ts";
import { diffText } from "./hunks.ts";
import { compareLines, type LineChange, splitLines } from "./line-changes.ts";
import { STEP_BOUND, shortestEdit } from "./shortest-edit.ts";
import { diffWords, MAX_WORD_DIFF_CHARS } from "./word-diff.ts";

const line = fc.constantFrom("a\n", "b\n", "c\n", "d\n", "\n");
const lines = fc.array(line, { maxLength: 14 });
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}\n`);
const edits = (changes: readonly LineChange[]) =>
	changes.reduce((sum, { oldStart, oldEnd, newStart, newEnd }) => sum + oldEnd - oldStart + newEnd - newStart, 0);

/** The new text, made of the old one and the changes alone. */
function applied(before: readonly string[], after: readonly string[], changes: readonly LineChange[]): string[] {
	const out: string[] = [];
	let at = 0;
	for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
		out.push(...before.slice(at, oldStart), ...after.slice(newStart, newEnd));
		at = oldEnd;
	}
	return [...out, ...before.slice(at)];
}

function fewestEdits(a: readonly string[], b: readonly string[]): number {
	let row = Array.from({ length: b.length + 1 }, (_, y) => y);
	for (const [x, own] of a.entries()) {
		const next = [x + 1];
		for (const [y, other] of b.entries()) next.push(own === other ? (row[y] ?? 0) : 1 + Math.min(row[y + 1] ?? 0, next[y] ?? 0));
		row = next;
	}
	return row[b.length] ?? 0;
}

test("[CH200] changes applied to the old lines give the new ones, are as few as can be, and never touch each other", () => {
	fc.assert(
		fc.property(lines, lines, (before, after) => {
			const { changes, coarse } = compareLines(before, after);
			expect(applied(before, after, changes)).toEqual(after);
			expect([edits(changes), coarse]).toEqual([fewestEdits(before, after), false]);
			for (const [at, change] of changes.entries()) expect(change.oldStart).toBeGreaterThan(changes[at - 1]?.oldEnd ?? -1);
		}),
		{ numRuns: 3_000, seed: SEED },
	);
});

test("[CH201] where the bound is met the answer is coarse and still right", () => {
	fc.assert(
		fc.property(lines, lines, (before, after) => {
			const { changes, coarse } = compareLines(before, after, { bound: 1 });
			expect(applied(before, after, changes)).toEqual(after);
			if (!coarse) expect(edits(changes)).toBe(fewestEdits(before, after));
		}),
		{ numRuns: 2_000, seed: SEED },
	);
	const turned = numbered(10_000).toReversed();
	const { changes, coarse } = compareLines(numbered(10_000), turned);
	expect([coarse, applied(numbered(10_000), turned, changes).length]).toEqual([true, 10_000]);
});

test("[CH201] the steps of a comparison are bounded: what is left then counts as replaced", () => {
	const ids = Int32Array.from({ length: 4_000 }, (_, index) => index);
	const marks = shortestEdit(ids, ids.toReversed(), 2_048, 1_000);
	expect(marks.coarse).toBe(true);
	const kept = (side: Int32Array, marked: Uint8Array) => [...side].filter((_, at) => marked[at] === 0);
	expect(kept(ids, marks.removed)).toEqual(kept(ids.toReversed(), marks.added));
	expect(STEP_BOUND).toBe(60_000_000);
});

test("[CH200] a last line without a line feed is another line than one with it", () => {
	expect(splitLines("a\nb")).toEqual(["a\n", "b"]);
	expect(splitLines("")).toEqual([]);
	expect(splitLines("\n\n")).toEqual(["\n", "\n"]);
	const { hunks } = diffText("a\nb", "a\nb\n");
	expect(hunks[0]?.lines).toEqual([
		{ kind: " ", text: "a", oldNumber: 1, newNumber: 1 },
		{ kind: "-", text: "b", oldNumber: 2, noNewline: true },
		{ kind: "+", text: "b", newNumber: 2 },
	]);
});

test("[CH202] a hunk says which lines it replaces, has three lines around them, and an id that another text does not have", () => {
	const before = numbered(40);
	const after = before.with(10, "ten\n").with(16, "sixteen\n").with(30, "thirty\n");
	const { hunks, added, removed } = diffText(before.join(""), after.join(""));
	expect([added, removed]).toEqual([3, 3]);
	expect(hunks.map(({ oldStart, oldLines, newStart, newLines }) => [oldStart, oldLines, newStart, newLines])).toEqual([
		[8, 13, 8, 13],
		[28, 7, 28, 7],
	]);
	expect(hunks[0]?.changes).toHaveLength(2);
	expect(hunks[1]?.lines.map(({ kind, text }) => kind + text)).toEqual([
		...[" line 27", " line 28", " line 29", "-line 30", "+thirty", " line 31", " line 32", " line 33"],
	]);
	const ids = (next: readonly string[]) => diffText(before.join(""), next.join("")).hunks.map(({ id }) => id);
	expect(ids(after)).toEqual(hunks.map(({ id }) => id));
	expect(ids(after.with(30, "dreissig\n"))[0]).toBe(hunks[0]?.id);
	expect(ids(after.with(30, "dreissig\n"))[1]).not.toBe(hunks[1]?.id);
	expect(diffText("", "a\n").hunks[0]).toMatchObject({ oldStart: 0, oldLines: 0, newStart: 1, newLines: 1 });
});

test("[CH202] blanks can be left out of the comparison", () => {
	expect(diffText("if (a) {\n  b();\n}\n", "if (a) {\n\t\tb();\r\n}\n", { ignoreWhitespace: true }).hunks).toEqual([]);
	const { hunks } = diffText("a\n  b\nc\n", "a\n\tb\nd\n", { ignoreWhitespace: true });
	expect(hunks[0]?.lines.map(({ kind, text }) => kind + text)).toEqual([" a", " \tb", "-c", "+d"]);
});

test("[CH203] within an edited line the words that differ are marked, and nothing where lines have too little in common or are too long", () => {
	const diff = diffWords("const total = sum(a, b);", "const total = sum(a, c);");
	expect(diff?.before.filter(({ changed }) => changed)).toEqual([{ text: "b", changed: true }]);
	expect(diff?.after.filter(({ changed }) => changed)).toEqual([{ text: "c", changed: true }]);
	expect(diffWords("變更太多了", "變更太少了")?.after).toEqual([
		{ text: "變更太", changed: false },
		{ text: "少", changed: true },
		{ text: "了", changed: false },
	]);
	expect(diffWords("import x", "} while (0)")).toBeUndefined();
	expect(diffWords("a".repeat(MAX_WORD_DIFF_CHARS + 1), "a")).toBeUndefined();
	fc.assert(
		fc.property(fc.string({ maxLength: 60, unit: "grapheme" }), fc.string({ maxLength: 60, unit: "grapheme" }), (before, after) => {
			const pieces = diffWords(before, after);
			if (pieces === undefined) return;
			expect([pieces.before, pieces.after].map((side) => side.map(({ text }) => text).join(""))).toEqual([before, after]);
		}),
		{ seed: SEED },
	);
});
