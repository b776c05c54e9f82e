// @vitest-environment happy-dom
import { cleanup, render } from "@testing-library/react";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { Markdown } from "./markdown.tsx";
import { createMarkdownStream } from "./markdown-stream.ts";
import { createParser } from "./parser.ts";

afterEach(cleanup);
const parser = createParser();

const SAMPLE = `# Title with **bold** and \`code\`

A paragraph with a [link](https://example.com/a) and https://example.com/路徑。接著**注意：**這裡。
Second line of it[^x] with a ref [later] and \\*escaped\\*.

- one
- two
  - nested **deep**

    para in item
- [x] done
- [ ] open

1. first

2. second loose
---
| a | b |
|---|--:|
| 1 | 2 |
| \`x|y\` | ~~old~~ |

\`\`\`ts
const a = "# not a heading";

- not a list
\`\`\`
> quote
> - with list
lazy line

    indented code

Setext
======

$$
a^2 + b^2
$$

Inline $e^{i\\pi}$ costs $5 and $10.

[later]: https://example.org/later "Title"

![pic](https://evil.example/x.png?q=SECRET)
<script>alert(1)</script>
<img src=x onerror=alert(1)>
[bad](javascript:alert(1)) [data](data:text/html,x)
`;

const PIECES = [
	"a",
	"B ",
	"\n",
	"\n\n",
	"- ",
	"  ",
	"    ",
	"1. ",
	"> ",
	"# ",
	"```",
	"```js\n",
	"~~~",
	"---",
	"===",
	"|",
	"| a | b |\n",
	"|---|---|\n",
	"**",
	"*",
	"_",
	"`",
	"[x]",
	"[x](y)",
	"[x]: http://z\n",
	"![",
	"](",
	")",
	"$",
	"$$",
	"\\[",
	"\\(",
	"<b>",
	"https://e.com/a。",
	"中文",
	"：",
	"\r\n",
	"\t",
	"&amp;",
	"\\",
	"[ ] ",
];

function html(text: string): string {
	const { container, unmount } = render(<Markdown text={text} />);
	const result = container.innerHTML;
	unmount();
	return result;
}

function streamed(text: string, cuts: readonly number[]): string {
	const view = render(<Markdown text="" growing />);
	for (const cut of cuts) view.rerender(<Markdown text={text.slice(0, cut)} growing />);
	view.rerender(<Markdown text={text} />);
	const result = view.container.innerHTML;
	view.unmount();
	return result;
}

const everyNth = (text: string, step: number) => Array.from({ length: Math.floor(text.length / step) }, (_, index) => (index + 1) * step);

test.each([1, 2, 3, 7, 16, 50, 333])("[PG20] text that came in pieces of %i characters looks like text that came at once", (step) => {
	expect(streamed(SAMPLE, everyNth(SAMPLE, step))).toBe(html(SAMPLE));
});

test("[PG20] any text in any pieces looks like the same text at once", () => {
	const text = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 40 }).map((parts) => parts.join(""));
	fc.assert(
		fc.property(text, fc.integer({ min: 1, max: 9 }), (source, step) => {
			expect(streamed(source, everyNth(source, step))).toBe(html(source));
		}),
		{ numRuns: 250 },
	);
});

test("[PG20] splitting into blocks changes nothing against reading the whole text", () => {
	const text = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 40, size: "max" }).map((parts) => parts.join(""));
	const shape = (source: string) =>
		parser
			.parse(source.replace(/\r\n?/g, "\n"), {})
			.map((token) => [token.type, token.content, token.children?.map((child) => [child.type, child.content])]);
	fc.assert(
		fc.property(text, (source) => {
			const blocks = createMarkdownStream(parser).update(source, true);
			const split = blocks.flatMap((block) =>
				block.tokens.map((token) => [token.type, token.content, token.children?.map((child) => [child.type, child.content])]),
			);
			expect(split).toEqual(shape(source));
		}),
		{ numRuns: 500 },
	);
});

test("[PG21] while text grows, blocks before the last two stay the same objects", () => {
	const stream = createMarkdownStream(parser);
	const text = Array.from({ length: 50 }, (_, index) => `Paragraph ${index} with **bold**.`).join("\n\n");
	let before = stream.update(text.slice(0, 900), false);
	for (let end = 901; end < text.length; end += 13) {
		const now = stream.update(text.slice(0, end), false);
		const kept = Math.min(before.length, now.length) - 2;
		for (let index = 0; index < kept; index++) expect(now[index]).toBe(before[index]);
		before = now;
	}
});

test("[PG21] 50 KB of Markdown in 2,000 updates is read in linear time", () => {
	const text = SAMPLE.repeat(60);
	const step = Math.ceil(text.length / 2000);
	const stream = createMarkdownStream(parser);
	const started = performance.now();
	for (let end = step; end < text.length; end += step) stream.update(text.slice(0, end), false);
	expect(performance.now() - started).toBeLessThan(8_000);
});

test("[PG22] an open mark is closed while it is being written", () => {
	const view = render(<Markdown text="This is **bo" growing />);
	expect(view.container.querySelector("strong")?.textContent).toBe("bo");
	expect(view.container.textContent).toBe("This is bo");
});
