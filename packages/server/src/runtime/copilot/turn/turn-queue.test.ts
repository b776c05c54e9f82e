import { expect, test } from "vitest";
import type { TurnEvent } from "../../../core/ports/agent-runtime.ts";
import { createTurnQueue, MAX_WAITING } from "./turn-queue.ts";

async function drain(queue: ReturnType<typeof createTurnQueue>): Promise<TurnEvent[]> {
	const events: TurnEvent[] = [];
	for await (const event of queue.events()) events.push(event);
	return events;
}

test("[RT60] a reader that is held up costs a bounded number of events and loses no text", async () => {
	const queue = createTurnQueue();
	for (let index = 0; index < 50_000; index += 1) queue.push({ kind: "text-delta", messageId: "m", content: `${index} ` });
	for (let index = 0; index < 50_000; index += 1) queue.push({ kind: "tool-output", toolCallId: "t", content: "x" });
	queue.push({ kind: "turn-end", outcome: "completed" });
	const events = await drain(queue);
	expect(events.length).toBeLessThan(MAX_WAITING + 10);
	const text = events.map((event) => (event.kind === "text-delta" ? event.content : "")).join("");
	expect(text).toBe(Array.from({ length: 50_000 }, (_, index) => `${index} `).join(""));
});

test("[RT61] nothing follows the one turn-end", async () => {
	const queue = createTurnQueue();
	queue.push({ kind: "turn-end", outcome: "aborted" });
	queue.push({ kind: "text-delta", messageId: "m", content: "late" });
	queue.push({ kind: "turn-end", outcome: "completed" });
	expect(await drain(queue)).toEqual([{ kind: "turn-end", outcome: "aborted" }]);
});
