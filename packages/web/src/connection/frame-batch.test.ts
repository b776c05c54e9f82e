import { expect, test } from "vitest";
import { createFakeClock } from "../testing/fake-clock.ts";
import { createFrameBatch, HIDDEN_FLUSH_MS, MIN_FLUSH_INTERVAL_MS } from "./frame-batch.ts";

test("[PG17] what arrives between two painted frames is one change; a hidden page gets it by timer", () => {
	const clock = createFakeClock();
	const delivered: number[][] = [];
	const frames: (() => void)[] = [];
	let visible = true;
	const batch = createFrameBatch<number>({
		deliver: (items) => delivered.push(items),
		now: clock.now,
		visible: () => visible,
		nextFrame: (run) => frames.push(run),
		later: (delayMs, run) => void clock.after(delayMs, run),
	});
	batch.add(1);
	batch.add(2);
	expect(delivered).toEqual([]);
	frames.shift()?.();
	expect(delivered).toEqual([[1, 2]]);
	batch.add(5);
	expect(frames).toEqual([]);
	clock.advance(MIN_FLUSH_INTERVAL_MS);
	frames.shift()?.();
	expect(delivered.splice(1)).toEqual([[5]]);
	visible = false;
	batch.add(3);
	batch.add(4);
	expect(frames).toEqual([]);
	clock.advance(HIDDEN_FLUSH_MS);
	expect(delivered).toEqual([
		[1, 2],
		[3, 4],
	]);
});
