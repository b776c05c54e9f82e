import type { MessageEntity } from "grammy/types";
import { expect, test } from "vitest";
import { answerMessages, MAX_RENDERED_CHARS } from "../render/final-answer.ts";
import { createMarkdownRenderer } from "./markdown-to-entities.ts";
import { splitText } from "./split-text.ts";
import { tableText } from "./table-text.ts";
import { createTextWriter } from "./text-writer.ts";

/** A list that counts how often its items are looked at. */
function counted<T extends object>(items: T[]) {
	const looks = { count: 0 };
	const list = new Proxy(items, {
		get(target, name, receiver) {
			if (typeof name === "string" && /^\d+$/.test(name)) looks.count += 1;
			return Reflect.get(target, name, receiver);
		},
	});
	return { list, looks };
}

type Written = NonNullable<Parameters<typeof createTextWriter>[0]>[number];

function writingWork(pieces: number): number {
	const { list, looks } = counted<Written>([]);
	const writer = createTextWriter(list);
	for (let index = 0; index < pieces; index++) {
		writer.write("see ");
		writer.open({ type: "code" });
		writer.write("a.md");
		writer.close("code");
	}
	expect(writer.result().entities).toHaveLength(pieces);
	return looks.count;
}

function splittingWork(pieces: number): number {
	const made = Array.from({ length: pieces }, (_, index): MessageEntity => ({ type: "code", offset: index * 10, length: 5 }));
	made.unshift({ type: "blockquote", offset: 0, length: pieces * 10 });
	const { list, looks } = counted(made);
	splitText({ text: "abcdefghi ".repeat(pieces), entities: list });
	return looks.count;
}

test.each([
	["writing", writingWork],
	["cutting", splittingWork],
])("[TG106] %s twice the text is twice the work", (_, work) => {
	const once = work(2_000);
	expect(work(4_000)).toBeLessThanOrEqual(once * 2.2);
	expect(once).toBeLessThan(2_000 * 10);
});

test("[TG106] of an answer that becomes a file only the preview is rendered", () => {
	const render = createMarkdownRenderer();
	let rendered = 0;
	const source = "some `code` and more\n\n".repeat(MAX_RENDERED_CHARS);
	const messages = answerMessages({
		source,
		note: "⏹ Stopped.",
		render: (markdown) => {
			rendered += markdown.length;
			return render(markdown);
		},
		caption: String,
		filename: "answer.md",
		silent: false,
	});
	expect(rendered).toBeLessThan(MAX_RENDERED_CHARS);
	expect(messages).toMatchObject([{ kind: "text" }, { kind: "document", content: source, caption: expect.stringContaining("⏹ Stopped.") }]);
});

test("[TG106] one wide cell does not multiply by the rows of its table", () => {
	const render = createMarkdownRenderer();
	const rows = `| a |\n|---|\n| ${"x".repeat(5_000)} |\n${"| b |\n".repeat(1_000)}`;
	expect(render(rows).text.length).toBeLessThan(5_000 + 1_000 * 130);
	expect(tableText([])).toBe("\n");
});
