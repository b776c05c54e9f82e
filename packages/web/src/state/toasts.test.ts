import { expect, test } from "vitest";
import { createFakeClock } from "../testing/fake-clock.ts";
import { createTestState } from "../testing/page-state.ts";
import { createToasts, MAX_TOASTS, TOAST_MS } from "./toasts.ts";

function setUp() {
	const state = createTestState();
	const clock = createFakeClock();
	let ids = 0;
	const toasts = createToasts({ state, clock, newId: () => `t${++ids}` });
	return { clock, toasts, shown: () => state.get().toasts.map(({ text }) => text) };
}

test("[PG302] of many short messages the newest few are on the page", () => {
	const { toasts, shown } = setUp();
	for (let index = 1; index <= MAX_TOASTS + 2; index++) toasts.toast({ kind: "info", text: `m${index}` });
	expect(shown()).toEqual(["m3", "m4", "m5", "m6"]);
});

test("[PG302] a short message goes after a while, one with a button later, a sticky one when it is closed", () => {
	const { clock, toasts, shown } = setUp();
	const sticky = toasts.toast({ kind: "error", text: "sticky", sticky: true });
	toasts.toast({ kind: "info", text: "undo", action: { label: "Undo", run: () => undefined } });
	toasts.toast({ kind: "info", text: "plain" });
	clock.advance(TOAST_MS);
	expect(shown()).toEqual(["sticky", "undo"]);
	clock.advance(TOAST_MS);
	expect(shown()).toEqual(["sticky"]);
	toasts.dismiss(sticky);
	expect(shown()).toEqual([]);
});
