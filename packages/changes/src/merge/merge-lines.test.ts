import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { SEED } from "../../../../test/support/seed.ts";
import { mergeLines } from "./merge-lines.ts";

const folder = mkdtempSync(join(tmpdir(), "merge-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const text = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}\n`);

test("[CH210] edits of different lines are both kept, the same edit is taken once, edits that overlap or touch are a conflict", () => {
	const base = text(9);
	const merge = (ours: string[], theirs: string[]) => mergeLines({ base: base.join(""), ours: ours.join(""), theirs: theirs.join("") });
	expect(merge(base.with(1, "mine\n"), base.with(7, "theirs\n"))).toEqual({
		clean: true,
		text: base.with(1, "mine\n").with(7, "theirs\n").join(""),
	});
	expect(merge(base.with(1, "same\n"), base.with(1, "same\n"))).toEqual({ clean: true, text: base.with(1, "same\n").join("") });
	expect(merge(base.with(1, "mine\n"), base.with(1, "theirs\n"))).toEqual({ clean: false });
	expect(merge(base.with(1, "mine\n"), base.with(2, "theirs\n"))).toEqual({ clean: false });
});

test("[CH210] a last line without a line feed never runs into the next one", () => {
	const merged = mergeLines({ base: "a\nb\nc\n", ours: "x\nb\nc\n", theirs: "a\nb\nc" });
	expect(merged).toEqual({ clean: true, text: "x\nb\nc" });
	expect(mergeLines({ base: "a\nb", ours: "a\nb\nmore\n", theirs: "a\nbb" })).toEqual({ clean: false });
});

/** A few edits at random places: what people and agents do to a file. */
const edits = fc.array(
	fc.record({ at: fc.nat(19), kind: fc.constantFrom("add", "drop", "change"), word: fc.constantFrom("x\n", "y\n", "z\n") }),
	{ maxLength: 4 },
);
const edited = (lines: readonly string[], list: readonly { at: number; kind: string; word: string }[]) =>
	list.reduce(
		(now, { at, kind, word }) =>
			kind === "add" ? now.toSpliced(at, 0, word) : kind === "drop" ? now.toSpliced(at, 1) : now.toSpliced(at, 1, word),
		[...lines],
	);

/** What git makes of each; one shell starts them all, since starting a process from this one takes far longer. */
function gitMerges(cases: readonly { ours: string; base: string; theirs: string }[]): (string | undefined)[] {
	for (const [at, sides] of cases.entries())
		for (const [side, content] of Object.entries(sides)) writeFileSync(join(folder, `${at}.${side}`), content);
	const each = "git merge-file -p -q $at.ours $at.base $at.theirs > $at.merged || rm $at.merged";
	execFileSync("sh", ["-c", `at=0; while [ $at -lt ${cases.length} ]; do ${each}; at=$((at + 1)); done`], { cwd: folder });
	return cases.map((_, at) =>
		existsSync(join(folder, `${at}.merged`)) ? readFileSync(join(folder, `${at}.merged`), "latin1") : undefined,
	);
}

test("[CH211] a thousand random merges: where git merges as well the bytes are the same", () => {
	const lines = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "d\n", "e\n", "f\n", "g\n"), { minLength: 20, maxLength: 20 });
	const cases = fc
		.sample(fc.tuple(lines, edits, edits), { numRuns: 1_000, seed: SEED })
		.map(([base, mine, other]) => ({ base: base.join(""), ours: edited(base, mine).join(""), theirs: edited(base, other).join("") }));
	const git = gitMerges(cases);
	const count = { same: 0, differ: 0, onlyGit: 0, onlyWe: 0 };
	for (const [at, sides] of cases.entries()) {
		const merged = mergeLines(sides);
		if (merged.clean && git[at] !== undefined) count[merged.text === git[at] ? "same" : "differ"]++;
		else if (merged.clean) count.onlyWe++;
		else if (git[at] !== undefined) count.onlyGit++;
	}
	expect(count.differ).toBe(0);
	expect(count.same).toBeGreaterThan(300);
	// Which of two equal lines came and which was there may be told otherwise.
	expect(count.onlyGit + count.onlyWe).toBeLessThan(30);
}, 240_000);
