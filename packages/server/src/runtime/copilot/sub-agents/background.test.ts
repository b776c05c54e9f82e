import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { createBackgroundWatch, LOOK_MS } from "./background.ts";

/** A watch over tasks of which the test says whether they are quiet. */
function watched() {
	const clock = createFakeClock();
	const state = { isQuiet: false, isBroken: false, over: 0 };
	const watch = createBackgroundWatch({
		clock,
		tasks: () => ({ areQuiet: () => (state.isBroken ? Promise.reject(new Error("gone")) : Promise.resolve(state.isQuiet)) }),
		over() {
			state.over += 1;
		},
	});
	return { clock, state, watch };
}

test("[SA6] when nobody works in the background any more, seen twice in a row, the turn is over, once", async () => {
	const { clock, state, watch } = watched();
	watch.begin();
	await clock.advance(10 * LOOK_MS);
	expect(state.over).toBe(0);
	state.isQuiet = true;
	await clock.advance(LOOK_MS);
	state.isQuiet = false;
	await clock.advance(LOOK_MS);
	state.isQuiet = true;
	await clock.advance(LOOK_MS);
	expect(state.over).toBe(0);
	await clock.advance(LOOK_MS);
	expect([state.over, clock.pending()]).toEqual([1, 0]);
});

test("[SA6] a runtime that does not answer is not quiet, and a turn that has ended is not looked at any more", async () => {
	const { clock, state, watch } = watched();
	state.isQuiet = true;
	state.isBroken = true;
	watch.begin();
	await clock.advance(10 * LOOK_MS);
	expect(state.over).toBe(0);
	state.isBroken = false;
	watch.end();
	await clock.advance(10 * LOOK_MS);
	expect([state.over, clock.pending()]).toEqual([0, 0]);
});
