import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { memoizeTtl } from "./memoize-ttl.ts";

test("[RT66] the provider is asked for its models once for all who ask, again after half a minute, and soon again after a failure", async () => {
	const clock = createFakeClock();
	let asked = 0;
	let fails = false;
	const keptMs = (answer: number) => (answer === 5 ? 3_000 : 30_000);
	const ask = memoizeTtl(keptMs, clock, async () => {
		asked += 1;
		if (fails) throw new Error("down");
		return asked;
	});
	expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
	await clock.advance(29_999);
	expect(await ask()).toBe(1);
	await clock.advance(1);
	fails = true;
	await expect(ask()).rejects.toThrow("down");
	await expect(ask()).rejects.toThrow("down");
	fails = false;
	expect(await ask()).toBe(4);
	await clock.advance(30_000);
	expect(await ask()).toBe(5);
	await clock.advance(3_000);
	expect(await ask()).toBe(6);
});
