import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { createSilenceTimer } from "./silence-timer.ts";
import { createStrayUpdates, MAX_STRAY_CHARS } from "./stray-updates.ts";
import { readUpdate } from "./updates.ts";

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
