import { expect, test } from "vitest";
import { answerMessages, MAX_FILE_CHARS } from "./final-answer.ts";
import { createWholeContent } from "./whole-content.ts";

const cut = { id: "a1", content: "begin", truncated: { content: 9 } };

test("[TG37] of a message that is stored in part the rest is read, unless all of it was heard", () => {
	const whole = createWholeContent(() => ["begin", "-end"]);
	expect(whole({ id: "a1", content: "all" })).toEqual({ content: "all", isCut: false });
	expect(whole(cut)).toEqual({ content: "begin-end", isCut: false });
	expect(whole(cut, "its end only")).toEqual({ content: "its end only", isCut: false });
	expect(whole(cut, "end")).toEqual({ content: "begin-end", isCut: false });
});

test("[TG37] where the rest cannot be read, what there is does not pass for the whole", () => {
	expect(createWholeContent(() => undefined)(cut)).toEqual({ content: "begin", isCut: true });
});

test("[TG37] no more is read than a file holds, and the file says so", () => {
	let read = 0;
	const endless = function* () {
		for (;;) {
			read += 1_000_000;
			yield "x".repeat(1_000_000);
		}
	};
	const { content } = createWholeContent(endless)(cut);
	expect(read).toBe(MAX_FILE_CHARS + 1_000_000);
	const file = answerMessages({
		...{ source: content, note: "", filename: "answer.md", silent: false },
		caption: (length, isWhole) => `${length} ${isWhole}`,
		render: (text) => ({ text, entities: [] }),
	}).at(-1);
	expect(file).toMatchObject({ kind: "document", caption: `${MAX_FILE_CHARS} false` });
});
