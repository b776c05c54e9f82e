import { expect, test } from "vitest";
import { MAX_TOOL_STRING_CHARS, MAX_TOOL_VALUE_CHARS, truncateValue } from "../kernel/truncate.ts";
import { createTurnSize } from "./turn-size.ts";

test("[CV105] the size of a turn is what it keeps: withdrawn text is not counted, a final text replaces its pieces", () => {
	const size = createTurnSize();
	size.add({ kind: "text-delta", messageId: "a", content: "12345" });
	size.add({ kind: "reasoning-delta", reasoningId: "r", content: "123" });
	expect(size.chars()).toBe(8);
	size.add({ kind: "message-reset", messageId: "a", reasoningId: "r" });
	expect(size.chars()).toBe(0);
	size.add({ kind: "text-delta", messageId: "b", content: "12345" });
	size.add({ kind: "message-end", messageId: "b", content: "123456" });
	expect(size.chars()).toBe(6);
	size.add({ kind: "tool-output", toolCallId: "t", content: "x".repeat(1_000) });
	size.add({ kind: "tool-end", toolCallId: "t", success: true, result: "x".repeat(MAX_TOOL_STRING_CHARS * 2) });
	expect(size.chars()).toBeLessThan(MAX_TOOL_STRING_CHARS + 100);
});

test("[CV106] the strings of one tool call are bounded together, not only each", () => {
	const files = Array.from({ length: 100 }, (_, index) => ({ path: `f${index}`, content: "x".repeat(60_000) }));
	const bounded = JSON.stringify(truncateValue({ files }));
	expect(bounded.length).toBeLessThan(MAX_TOOL_VALUE_CHARS + 10_000);
	expect(truncateValue({ files: files.slice(0, 2) })).toEqual({ files: files.slice(0, 2) });
});
