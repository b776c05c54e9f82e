import { expect, test } from "vitest";
import { pushText } from "./push-text.ts";
import { readPush } from "./worker-inbox.ts";

test("[PG323] a notification speaks the language of the page, with the agent's question as it is", () => {
	const ready = readPush({ code: "turn-completed", body: "The answer is ready." });
	expect([pushText(ready, "en"), pushText(ready, "zh-Hant")]).toEqual(["The answer is ready.", "回答完成了。"]);
	const asks = readPush({ code: "question", params: { question: "Shall I?" }, body: "Shall I?" });
	expect(pushText(asks, "zh-Hant")).toBe("Shall I?");
});

test("[PG323] a code or value that the worker does not know is told by the server's sentence", () => {
	expect(pushText(readPush({ code: "brand-new", body: "News." }), "zh-Hant")).toBe("News.");
	expect(pushText(readPush({ code: "question", body: "Shall I?" }), "zh-Hant")).toBe("Shall I?");
	expect(pushText(readPush("not ours"), "zh-Hant")).toBeUndefined();
});
