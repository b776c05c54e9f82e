import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { createSilenceTimer } from "./silence-timer.ts";
import { createStrayUpdates, MAX_STRAY_CHARS } from "./stray-updates.ts";
import { createTurnQueue, HIGH_WATER_CHARS, LOW_WATER_CHARS } from "./turn-queue.ts";
import { readUpdate } from "./updates.ts";

test("[AC7] a reader that is behind is told at the high-water mark, and again when it has caught up; nothing is lost", async () => {
	const told: boolean[] = [];
	const queue = createTurnQueue((isBehind) => told.push(isBehind));
	const piece = "x".repeat(100_000);
	let pushed = 0;
	while (told.length === 0) {
		queue.push({ kind: "text-delta", messageId: "m", content: piece });
		pushed += 1;
	}
	expect(queue.waiting).toBeLessThan(HIGH_WATER_CHARS + 200_000);
	queue.push({ kind: "turn-end", outcome: "completed" });
	queue.push({ kind: "turn-end", outcome: "error" });
	let read = 0;
	for await (const event of queue.events()) {
		if (event.kind === "text-delta") read += 1;
		else expect(event).toEqual({ kind: "turn-end", outcome: "completed" });
		if (told.length === 2) expect(queue.waiting).toBeLessThan(LOW_WATER_CHARS);
	}
	expect([read, told]).toEqual([pushed, [true, false]]);
});

test("[AC7] large plans count as large", () => {
	const queue = createTurnQueue(() => undefined);
	queue.push({ kind: "plan", entries: Array.from({ length: 100 }, () => ({ content: "x".repeat(1_000), status: "pending" as const })) });
	expect(queue.waiting).toBeGreaterThan(100_000);
});

test("[AC28] silence is told after 20 s and every minute then; waiting for a tool or a person is no silence", async () => {
	const clock = createFakeClock();
	const told: number[] = [];
	let isWaiting = false;
	const timer = createSilenceTimer({ clock, isWaiting: () => isWaiting, notice: (seconds) => told.push(seconds) });
	await clock.advance(15_000);
	timer.touch();
	await clock.advance(15_000);
	expect(told).toEqual([]);
	await clock.advance(70_000);
	expect(told).toEqual([20, 80]);
	timer.touch();
	isWaiting = true;
	await clock.advance(200_000);
	expect(told).toEqual([20, 80]);
	timer.stop();
	expect(clock.pending()).toBe(0);
});

test("[AC29] what an agent says while no turn runs is kept, bounded: words, titles, and tools that began then", () => {
	const stray = createStrayUpdates();
	stray.add(readUpdate({ sessionUpdate: "tool_call_update", toolCallId: "old", status: "completed" }));
	stray.add(readUpdate({ sessionUpdate: "available_commands_update", availableCommands: [] }));
	stray.add(readUpdate({ sessionUpdate: "session_info_update", title: "T" }));
	for (let i = 0; i < 20; i++) {
		stray.add(readUpdate({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x".repeat(20_000) } }));
	}
	expect(stray.size).toBeLessThanOrEqual(MAX_STRAY_CHARS);
	const { updates } = stray.take();
	expect(updates[0]).toEqual({ kind: "title", title: "T" });
	expect(updates.length).toBeGreaterThan(10);
	expect(stray.take()).toEqual({ updates: [], refused: [] });
});
