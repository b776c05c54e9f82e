import { expect, test } from "vitest";
import { parseSequence } from "../diagram/parse-sequence.ts";
import { readBashResult } from "../transcript/cards/bash-result.ts";
import { visibleText } from "../transcript/cards/visible-text.ts";
import { fileEditsOf } from "../transcript/diff/file-edit.ts";
import { createMarkdownStream } from "./markdown-stream.ts";
import { createParser } from "./parser.ts";

// Each would take from a minute to hours if the work grew with the square of the text: a test that hangs has failed.
const MANY = 60_000;
const parser = createParser();

test.each(["\\(", "a \\[", "$$a ", "$a", "[", "](", "*a ", "<a", "http://a(", "`", "| a "])(
	"[PG204] Markdown of many %j is read at once",
	(mark) => {
		const text = `x ${mark.repeat((2 * MANY) / mark.length)}`;
		expect(parser.parse(text, {}).length).toBeGreaterThan(0);
		expect(createMarkdownStream(parser).update(text, false).length).toBeGreaterThan(0);
	},
);

test.each([
	`A${" ".repeat(48_000)}`,
	`A->>${" ".repeat(48_000)}`,
	`Note over ${" ".repeat(48_000)}`,
	`A${"-".repeat(48_000)}`,
	`participant a${" ".repeat(48_000)}b`,
])("[PG204] a line of a sequence diagram is read at once (%#)", (line) => {
	expect(parseSequence(`sequenceDiagram\n${line}`)).toBeUndefined();
});

test("[PG204] output, results and patches of any shape are read at once", () => {
	const content = `$ x\n${"[exit code: ".repeat(MANY)}\n[exit code: 0]\n`;
	const message = { id: "u", role: "user", content, metadata: { origin: "web", bash: true }, createdAt: "" } as const;
	expect(readBashResult(message).output).toBe("[exit code: ".repeat(MANY));
	expect(visibleText("\u001b]a".repeat(MANY))).toBe("]a".repeat(MANY));
	expect(visibleText(`${"\u001b[1;".repeat(MANY)}x`)).toContain("x");
	expect(fileEditsOf("apply_patch", "--- a\n".repeat(MANY))).toEqual([]);
});
