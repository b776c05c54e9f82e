import fc from "fast-check";
import { expect, test } from "vitest";
import { paintFor } from "./colour.ts";
import { createMarkdown } from "./markdown.ts";
import { widthOf } from "./width.ts";

const plain = paintFor({}, {});
const coloured = paintFor({}, { FORCE_COLOR: "1" });
const withoutColour = (text: string) => text.replace(/\u001b\[\d+m/g, "");

function render(pieces: readonly string[], columns = 80, paint = plain): string[] {
	const markdown = createMarkdown({ paint, columns: () => columns });
	return [...pieces.flatMap((piece) => markdown.push(piece)), ...markdown.end()];
}

test("[CL79] headings are bold, lists hang, quotes have a bar, code stays as it is", () => {
	expect(render(["## Title\n- one two three four\n1. first\n> said\n```js\nconst a = *b*;\n```\n**bold** [page](http://x)"], 14)).toEqual([
		"Title",
		"• one two ",
		"  three four",
		"1. first",
		"│ said",
		"```js",
		"const a = ",
		"*b*;",
		"```",
		"bold page ",
		"(http://x)",
	]);
	expect(render(["# T\n`c`"], 80, coloured).join("|")).toBe("\u001b[4m\u001b[1mT\u001b[22m\u001b[24m|\u001b[36mc\u001b[39m");
});

test("[CL79] rows fit the window, whatever the script, and hold every word once", () => {
	const words = fc.array(fc.constantFrom("plain", "漢字漢字", "é", "🙂", "averyveryverylongwordthatfitsnowhere", "x"), { minLength: 1 });
	fc.assert(
		fc.property(words, fc.integer({ min: 12, max: 60 }), fc.nat(), (list, columns, at) => {
			const text = list.join(" ");
			const characters = [...text];
			const cut = at % (characters.length + 1);
			const rows = render([characters.slice(0, cut).join(""), characters.slice(cut).join("")], columns);
			expect(rows).toEqual(render([text], columns));
			for (const row of rows) expect(widthOf(row)).toBeLessThan(columns);
			expect(rows.join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
			expect(render([text], columns, coloured).map(withoutColour)).toEqual(rows);
		}),
	);
});
