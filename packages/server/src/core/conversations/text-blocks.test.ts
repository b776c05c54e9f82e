import { expect, test } from "vitest";
import { textBlocks } from "./text-blocks.ts";

const blocks = (text: string, max: number, pieces = [text]) => [...textBlocks(pieces, max)];

test("[SR23] a long text is made HTML in blocks of bounded size, cut between paragraphs, and nothing of it is lost", () => {
	const text = Array.from({ length: 40 }, (_, n) => `Paragraph ${n} has some words.\n\n`).join("");
	const cut = blocks(text, 200);
	expect(cut.join("")).toBe(text);
	expect(cut.every((block) => block.length <= 200 && block.startsWith("Paragraph"))).toBe(true);
	expect(blocks("", 200, text.match(/[\s\S]{1,7}/g) ?? [])).toEqual(cut);
	const line = "字😀".repeat(200);
	const pieces = blocks(line, 100);
	expect([pieces.join(""), pieces.every((piece) => piece.length <= 100 && piece.isWellFormed())]).toEqual([line, true]);
});

test("[SR23] a code block or a table that is cut goes on as one", () => {
	const code = blocks(`Look:\n\n\`\`\`\`js\n${"const a = 1;\n".repeat(20)}\`\`\`\`\n\nDone.`, 100);
	expect(code.length).toBeGreaterThan(2);
	expect(code.slice(1, -1).every((block) => block.startsWith("````\n"))).toBe(true);
	const table = blocks(`| a | b |\n|---|---|\n${"| one | two |\n".repeat(20)}\nAfter.`, 100);
	expect(table.length).toBeGreaterThan(2);
	expect(table.slice(0, -1).every((block) => block.startsWith("| a | b |\n|---|---|\n"))).toBe(true);
	expect(table.at(-1)).toMatch(/After\.$/);
});
