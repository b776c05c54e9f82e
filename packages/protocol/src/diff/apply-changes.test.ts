import fc from "fast-check";
import { expect, test } from "vitest";
import { applyChanges } from "./apply-changes.ts";
import { diffText } from "./hunks.ts";

const text = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "d\n", "e"), { maxLength: 40 }).map((lines) => lines.join(""));

test("[CH204] all changes of a text make the other one, and none make none", () => {
	fc.assert(
		fc.property(text, text, (before, after) => {
			const changes = diffText(before, after).hunks.flatMap((hunk) => hunk.changes);
			expect(applyChanges(before, after, changes)).toBe(after);
			expect(applyChanges(before, after, [])).toBe(before);
		}),
	);
});

test("[CH204] one hunk of two is made alone", () => {
	const lines = Array.from({ length: 30 }, (_, index) => `${index}\n`);
	const after = lines.with(2, "two\n").with(25, "more\n");
	const [first] = diffText(lines.join(""), after.join("")).hunks;
	expect(applyChanges(lines.join(""), after.join(""), first?.changes ?? [])).toBe(lines.with(2, "two\n").join(""));
});
