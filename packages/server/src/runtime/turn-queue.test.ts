import { expect, test } from "vitest";
import { createMemoryLedger } from "../core/kernel/memory-ledger.ts";
import type { TurnEvent } from "../core/ports/agent-runtime.ts";
import {
	createTurnQueue,
	EVENT_BYTES,
	HIGH_WATER_BYTES,
	LOW_WATER_BYTES,
	MAX_JOINED_CHARS,
	MAX_WAITING,
	type TurnQueue,
} from "./turn-queue.ts";

async function drain(queue: TurnQueue): Promise<TurnEvent[]> {
	const events: TurnEvent[] = [];
	for await (const event of queue.events()) events.push(event);
	return events;
}

test("[RT60] a reader that is held up costs a bounded number of events and loses no text", async () => {
	const queue = createTurnQueue({ account: createMemoryLedger().account("agent") });
	for (let index = 0; index < 50_000; index += 1) queue.push({ kind: "text-delta", messageId: "m", content: `${index} ` });
	for (let index = 0; index < 50_000; index += 1) queue.push({ kind: "tool-output", toolCallId: "t", content: "x" });
	queue.push({ kind: "turn-end", outcome: "completed" });
	const events = await drain(queue);
	expect(events.length).toBeLessThan(MAX_WAITING + 10);
	const text = events.map((event) => (event.kind === "text-delta" ? event.content : "")).join("");
	expect(text).toBe(Array.from({ length: 50_000 }, (_, index) => `${index} `).join(""));
});

test("[RT61] nothing follows the one turn-end", async () => {
	const queue = createTurnQueue({ account: createMemoryLedger().account("agent") });
	queue.push({ kind: "turn-end", outcome: "aborted" });
	queue.push({ kind: "text-delta", messageId: "m", content: "late" });
	queue.push({ kind: "turn-end", outcome: "completed" });
	expect(await drain(queue)).toEqual([{ kind: "turn-end", outcome: "aborted" }]);
});

test("[WS125] what waits for a turn's reader is counted until it is fetched, also where pieces are joined", async () => {
	const ledger = createMemoryLedger();
	const account = ledger.account("agent");
	const queue = createTurnQueue({ account });
	for (let index = 0; index < 2 * MAX_WAITING; index += 1) queue.push({ kind: "text-delta", messageId: "m", content: "abcde" });
	const pieces = 2 * MAX_WAITING * 10 + (MAX_WAITING + 1) * EVENT_BYTES;
	expect([account.bytes(), queue.bytes]).toEqual([pieces, pieces]);
	queue.push({ kind: "tool-start", toolCallId: "t", toolName: "Bash", arguments: { command: "ls" } });
	queue.push({ kind: "tool-end", toolCallId: "t", success: true, result: "four" });
	expect(account.bytes()).toBe(pieces + 2 * EVENT_BYTES + 2 * '{"command":"ls"}'.length + 8);
	queue.push({ kind: "turn-end", outcome: "completed" });
	await drain(queue);
	expect(account.bytes()).toBe(0);
	expect(ledger.usage().peakBytes).toBeGreaterThan(pieces);
});

test("[WS141] a reader that leaves early takes nothing with it: what waited, and what comes later, is not counted", async () => {
	const account = createMemoryLedger().account("agent");
	const queue = createTurnQueue({ account });
	for (const content of ["one", "two", "three"]) queue.push({ kind: "tool-output", toolCallId: "t", content });
	for await (const _first of queue.events()) break;
	expect(account.bytes()).toBe(0);
	queue.push({ kind: "tool-output", toolCallId: "t", content: "late" });
	queue.push({ kind: "turn-end", outcome: "aborted" });
	expect([account.bytes(), queue.ended]).toEqual([0, true]);
});

test("[AC7] a reader that is behind is told at the high-water mark, and again when it has caught up; nothing is lost", async () => {
	const told: boolean[] = [];
	const account = createMemoryLedger().account("agent");
	const queue = createTurnQueue({ account, onBehind: (isBehind) => told.push(isBehind) });
	const piece = "x".repeat(100_000);
	let pushed = 0;
	while (told.length === 0) {
		queue.push({ kind: "text-delta", messageId: "m", content: piece });
		pushed += 1;
	}
	expect(queue.bytes).toBeLessThan(HIGH_WATER_BYTES + 400_000);
	queue.push({ kind: "turn-end", outcome: "completed" });
	queue.push({ kind: "turn-end", outcome: "error" });
	let read = 0;
	for await (const event of queue.events()) {
		if (event.kind === "text-delta") read += 1;
		else expect(event).toEqual({ kind: "turn-end", outcome: "completed" });
		if (told.length === 2) expect(queue.bytes).toBeLessThan(LOW_WATER_BYTES);
	}
	expect([read, told]).toEqual([pushed, [true, false]]);
});

test("[AC7] an agent is read again when the reader of its turn leaves although it was behind", async () => {
	const told: boolean[] = [];
	const queue = createTurnQueue({ account: createMemoryLedger().account("agent"), onBehind: (isBehind) => told.push(isBehind) });
	while (told.length === 0) queue.push({ kind: "tool-output", toolCallId: "t", content: "x".repeat(100_000) });
	for await (const _first of queue.events()) break;
	expect(told).toEqual([true, false]);
});

test("[AC450] plans and diffs count with their text, whichever agent they are of", () => {
	const account = createMemoryLedger().account("agent");
	const queue = createTurnQueue({ account });
	queue.push({ kind: "plan", entries: Array.from({ length: 100 }, () => ({ content: "x".repeat(1_000), status: "pending" as const })) });
	expect(account.bytes()).toBeGreaterThan(200_000);
	queue.push({ kind: "tool-diff", toolCallId: "t", path: "a", oldText: "x".repeat(100_000), newText: "y".repeat(100_000) });
	expect(account.bytes()).toBeGreaterThan(600_000);
});

test("[AC451] pieces are joined up to the size that one frame may have", async () => {
	const queue = createTurnQueue({ account: createMemoryLedger().account("agent") });
	for (let index = 0; index < 2 * MAX_WAITING; index += 1) queue.push({ kind: "text-delta", messageId: "m", content: "x".repeat(1_000) });
	queue.push({ kind: "turn-end", outcome: "completed" });
	const sizes = (await drain(queue)).map((event) => (event.kind === "text-delta" ? event.content.length : 0));
	expect(Math.max(...sizes)).toBeGreaterThan(60_000);
	expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_JOINED_CHARS);
	expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(2 * MAX_WAITING * 1_000);
});
