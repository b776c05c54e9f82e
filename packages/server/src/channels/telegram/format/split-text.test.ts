import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createMarkdownRenderer } from "./markdown-to-entities.ts";
import { splitText } from "./split-text.ts";

const render = createMarkdownRenderer();

test("[TG36] a cut is never inside a surrogate pair, stays within the limits and loses only white space", async () => {
	await fc.assert(
		fc.property(fc.array(fc.constantFrom("word", "😀😀", "\n", "\n\n", " ", "長文字", "x".repeat(70)), { maxLength: 80 }), (parts) => {
			const whole = parts.join("");
			const cut = splitText({ text: whole, entities: [] }, 50);
			for (const part of cut) {
				expect(part.text.length).toBeLessThanOrEqual(50);
				expect(part.text.isWellFormed()).toBe(true);
			}
			expect(
				cut
					.map((part) => part.text)
					.join("")
					.replace(/\s/g, ""),
			).toBe(whole.replace(/\s/g, ""));
		}),
		{ numRuns: 300 },
	);
});

test("[TG36] a message has at most a hundred entities", () => {
	const parts = splitText(render(Array.from({ length: 350 }, (_, index) => `**b${index}**`).join(" ")));
	expect(parts.length).toBeGreaterThanOrEqual(4);
	for (const part of parts) expect(part.entities.length).toBeLessThanOrEqual(100);
	expect(parts.reduce((sum, part) => sum + part.entities.length, 0)).toBe(350);
});

test("[TG36] twenty kilobytes are rendered and cut in a moment", () => {
	const text = "Some **bold** text with `code` and a [link](https://a.example).\n".repeat(350);
	const started = performance.now();
	splitText(render(text));
	expect(performance.now() - started).toBeLessThan(5_000);
});
