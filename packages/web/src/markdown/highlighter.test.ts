import { expect, test } from "vitest";
import type { HighlightAnswer, HighlightRequest } from "./highlight-port.ts";
import { createHighlighter, MAX_CACHED, MAX_HIGHLIGHT_CHARS } from "./highlighter.ts";

function setUp() {
	const requests: HighlightRequest[] = [];
	let answer: (reply: HighlightAnswer) => void = () => undefined;
	let opened = 0;
	const highlighter = createHighlighter(() => {
		opened += 1;
		return {
			postMessage(request) {
				requests.push(request);
				queueMicrotask(() => answer({ id: request.id, lines: [[[request.code, "keyword"]]] }));
			},
			onAnswer(listener) {
				answer = listener;
			},
		};
	});
	return { highlighter, requests, opened: () => opened };
}

test("[PG35] code is coloured off the page's thread, by a worker that is opened at first need", async () => {
	const { highlighter, opened, requests } = setUp();
	expect(opened()).toBe(0);
	expect(await highlighter.highlight("let", "ts")).toEqual([[["let", "keyword"]]]);
	await highlighter.highlight("let", "ts");
	expect([opened(), requests.length]).toEqual([1, 1]);
});

test("[PG35] very long code and code without a language stay plain, and the memory of answers is bounded", async () => {
	const { highlighter, requests } = setUp();
	expect(await highlighter.highlight("x".repeat(MAX_HIGHLIGHT_CHARS + 1), "ts")).toBeUndefined();
	expect(await highlighter.highlight("x", "")).toBeUndefined();
	for (let index = 0; index <= MAX_CACHED; index++) await highlighter.highlight(`v${index}`, "ts");
	const asked = requests.length;
	await highlighter.highlight("v0", "ts");
	expect(requests.length).toBe(asked + 1);
});
