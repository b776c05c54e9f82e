import type { LogEvent } from "@rightseat/protocol/events/event";
import { expect, test } from "vitest";
import { conversationId } from "../kernel/ids.ts";
import { createEventBuffer, MAX_BUFFERED_CHARS } from "./event-buffer.ts";

const [A, B] = [conversationId("a"), conversationId("b")];
const delta = (content: string, messageId = "m"): LogEvent => ({ type: "copilot:delta", data: { messageId, content } });

test("[EV3] pieces of one stream are coalesced across other conversations, and never across another event of their own", () => {
	const buffer = createEventBuffer({ add: () => undefined });
	buffer.add(A, delta("1"));
	buffer.add(B, delta("x"));
	buffer.add(A, delta("2"));
	buffer.add(A, delta("n", "n"));
	buffer.add(A, delta("3"));
	expect(buffer.take().map(({ conversationId: id, event }) => [id, event])).toEqual([
		[A, delta("12")],
		[B, delta("x")],
		[A, delta("n", "n")],
		[A, delta("3")],
	]);
	expect(buffer.take()).toEqual([]);
});

test("[EV175] what waits for its commit is counted against a high-water mark, also when it was given back", () => {
	const buffer = createEventBuffer({ add: () => undefined });
	const piece = delta("x".repeat(MAX_BUFFERED_CHARS / 4));
	for (let count = 0; count < 4; count += 1) {
		expect(buffer.isOverflowing()).toBe(false);
		buffer.add(A, piece);
	}
	expect(buffer.isOverflowing()).toBe(true);
	const taken = buffer.take();
	expect(buffer.isOverflowing()).toBe(false);
	buffer.add(A, delta("later"));
	buffer.giveBack(taken);
	expect(buffer.isOverflowing()).toBe(true);
	expect(buffer.take().at(-1)?.event).toEqual(delta("later"));
});

test("[EV200] a tool's arguments and result count as they are, not as an event without text", () => {
	const counted: number[] = [];
	const buffer = createEventBuffer({ add: (bytes) => counted.push(bytes) });
	const content = "x".repeat(50_000);
	buffer.add(A, { type: "copilot:tool_start", data: { toolCallId: "t", toolName: "Write", arguments: { content } } });
	buffer.add(A, { type: "copilot:tool_end", data: { toolCallId: "t", success: true, result: content, durationMs: 1 } });
	expect(counted.every((bytes) => bytes > 100_000 && bytes < 101_000)).toBe(true);
	buffer.take();
	expect(counted.reduce((sum, bytes) => sum + bytes, 0)).toBe(0);
});
