import { expect, test } from "vitest";
import { createMemoryLedger } from "../../../core/kernel/memory-ledger.ts";
import type { TurnEvent } from "../../../core/ports/agent-runtime.ts";
import { createTurnQueue, MAX_WAITING } from "./turn-queue.ts";

async function drain(queue: ReturnType<typeof createTurnQueue>): Promise<TurnEvent[]> {
	const events: TurnEvent[] = [];
	for await (const event of queue.events()) events.push(event);
	return events;
}

test("[RT60] a reader that is held up costs a bounded number of events and loses no text", async () => {
	const queue = createTurnQueue(createMemoryLedger().account("agent"));
	for (let index = 0; index < 50_000; index += 1) queue.push({ kind: "text-delta", messageId: "m", content: `${index} ` });
	for (let index = 0; index < 50_000; index += 1) queue.push({ kind: "tool-output", toolCallId: "t", content: "x" });
	queue.push({ kind: "turn-end", outcome: "completed" });
	const events = await drain(queue);
	expect(events.length).toBeLessThan(MAX_WAITING + 10);
	const text = events.map((event) => (event.kind === "text-delta" ? event.content : "")).join("");
	expect(text).toBe(Array.from({ length: 50_000 }, (_, index) => `${index} `).join(""));
});

test("[RT61] nothing follows the one turn-end", async () => {
	const queue = createTurnQueue(createMemoryLedger().account("agent"));
	queue.push({ kind: "turn-end", outcome: "aborted" });
	queue.push({ kind: "text-delta", messageId: "m", content: "late" });
	queue.push({ kind: "turn-end", outcome: "completed" });
	expect(await drain(queue)).toEqual([{ kind: "turn-end", outcome: "aborted" }]);
});

test("[WS125] what waits for a turn's reader is counted until it is fetched, also where pieces are joined", async () => {
	const ledger = createMemoryLedger();
	const account = ledger.account("agent");
	const queue = createTurnQueue(account);
	for (let index = 0; index < 2 * MAX_WAITING; index += 1) queue.push({ kind: "text-delta", messageId: "m", content: "abcde" });
	expect(account.bytes()).toBe(2 * MAX_WAITING * 10);
	queue.push({ kind: "tool-start", toolCallId: "t", toolName: "Bash", arguments: { command: "ls" } });
	queue.push({ kind: "tool-end", toolCallId: "t", success: true, result: "four" });
	expect(account.bytes()).toBe(2 * MAX_WAITING * 10 + 2 * '{"command":"ls"}'.length + 8);
	queue.push({ kind: "turn-end", outcome: "completed" });
	await drain(queue);
	expect(account.bytes()).toBe(0);
	expect(ledger.usage().peakBytes).toBeGreaterThan(2 * MAX_WAITING * 10);
});

test("[WS141] a reader that leaves early takes nothing with it: what waited, and what comes later, is not counted", async () => {
	const account = createMemoryLedger().account("agent");
	const queue = createTurnQueue(account);
	for (const content of ["one", "two", "three"]) queue.push({ kind: "tool-output", toolCallId: "t", content });
	for await (const _first of queue.events()) break;
	expect(account.bytes()).toBe(0);
	queue.push({ kind: "tool-output", toolCallId: "t", content: "late" });
	queue.push({ kind: "turn-end", outcome: "aborted" });
	expect([account.bytes(), queue.ended]).toEqual([0, true]);
});
