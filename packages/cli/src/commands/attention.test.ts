import { expect, test, vi } from "vitest";
import { createAttention } from "./attention.ts";

test("[CL115] whoever touched a key within a minute looks: that is said at once, after the end of each turn, and taken back", () => {
	vi.useFakeTimers();
	try {
		const said: boolean[] = [];
		const attention = createAttention((isVisible) => void said.push(isVisible));
		attention.look(true);
		attention.look(false);
		expect(said).toEqual([]);
		attention.key();
		attention.key();
		expect(said.splice(0)).toEqual([true]);
		for (const isRunning of [true, true, false, false]) attention.look(isRunning);
		expect(said.splice(0)).toEqual([true]);
		vi.advanceTimersByTime(59_000);
		attention.key();
		vi.advanceTimersByTime(59_000);
		expect(said).toEqual([]);
		vi.advanceTimersByTime(1_000);
		expect(said.splice(0)).toEqual([false]);
		attention.look(true);
		attention.look(false);
		expect(said).toEqual([]);
		attention.key();
		attention.close();
		vi.advanceTimersByTime(120_000);
		expect(said).toEqual([true]);
	} finally {
		vi.useRealTimers();
	}
});
