import { expect, test } from "vitest";
import { conversationId, epoch, seq } from "../kernel/ids.ts";
import { createMemoryLedger } from "../kernel/memory-ledger.ts";
import { createEventRings, MAX_RING_CHARS, MAX_RING_EVENTS } from "./event-rings.ts";

const event = (name: string, at: number, frame: string, era = "e1") => ({
	...{ conversationId: conversationId(name), epoch: epoch(era), seq: seq(at), frame },
	event: { type: "copilot:delta" as const, data: { messageId: "m1", content: "the parsed content" } },
});

test("[EV113] all rings together have one bound in bytes; the conversation active least recently goes first", () => {
	const rings = createEventRings(createMemoryLedger(), 10_000);
	const text = "x".repeat(1_000);
	for (const name of ["a", "b", "c"]) for (let at = 1; at <= 3; at += 1) rings.keep(event(name, at, text));
	expect(rings.bytes()).toBeLessThanOrEqual(10_000);
	expect(rings.after(conversationId("a"), 0)).toBeUndefined();
	expect(rings.after(conversationId("c"), 0)?.map((kept) => kept.seq)).toEqual([1, 2, 3]);
	rings.drop(conversationId("b"));
	rings.drop(conversationId("c"));
	expect(rings.bytes()).toBe(0);
});

test("[EV113] a ring keeps position and frame and nothing else", () => {
	const rings = createEventRings();
	rings.keep(event("a", 1, "frame"));
	expect(rings.after(conversationId("a"), 0)).toEqual([{ conversationId: "a", epoch: "e1", seq: 1, frame: "frame" }]);
});

test("[EV113] one ring keeps no more than can be replayed, and nothing of an earlier epoch", () => {
	const rings = createEventRings();
	for (let at = 1; at <= 3 * MAX_RING_EVENTS; at += 1) rings.keep(event("a", at, "x"));
	const kept = rings.after(conversationId("a"), 3 * MAX_RING_EVENTS - 10);
	expect(kept?.map((one) => one.seq)).toEqual(Array.from({ length: 10 }, (_, index) => 3 * MAX_RING_EVENTS - 9 + index));
	expect(rings.after(conversationId("a"), MAX_RING_EVENTS / 2)).toBeUndefined();
	for (let at = 1; at <= 40; at += 1) rings.keep(event("b", at, "y".repeat(100_000)));
	expect(rings.after(conversationId("b"), 0)).toBeUndefined();
	expect(rings.bytes()).toBeLessThan(2 * 1.25 * (MAX_RING_CHARS + 200 * MAX_RING_EVENTS) + 200_000);
	rings.keep(event("b", 1, "new", "e2"));
	expect(rings.after(conversationId("b"), 0)).toHaveLength(1);
});
