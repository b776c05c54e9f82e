import { expect, test } from "vitest";
import { createPanelHistory } from "./panel-history.ts";

/** A browser's history whose steps take until `arrive`, as they do. */
function browser() {
	const entries: unknown[] = [null];
	let at = 0;
	let steps = 0;
	return {
		get state() {
			return entries[at];
		},
		pushState(state: unknown) {
			entries.splice(at + 1, entries.length, state);
			at += 1;
		},
		replaceState(state: unknown) {
			entries[at] = state;
		},
		go(by = 0) {
			steps += by;
		},
		arrive() {
			at += steps;
			steps = 0;
		},
		/** Where it stands, and how many entries there are. */
		place: () => [at, entries.length],
	};
}

test("[PG740] a panel is one entry, a file in it one more, and closing all of it goes back to where it began", () => {
	const window = browser();
	const entries = createPanelHistory(window);
	entries.follow({ panel: "files" });
	entries.follow({ panel: "files", file: "/a" });
	expect(window.place()).toEqual([2, 3]);
	entries.follow(undefined);
	window.arrive();
	expect(entries.moved()).toBe("ours");
	expect([window.place(), entries.current()]).toEqual([[0, 3], undefined]);
});

test("[PG740] going back and forth in the browser tells what to show", () => {
	const window = browser();
	const entries = createPanelHistory(window);
	entries.follow({ panel: "files" });
	entries.follow({ panel: "files", file: "/a" });
	window.go(-1);
	window.arrive();
	expect(entries.moved()).toEqual({ place: { panel: "files" } });
	window.go(-1);
	window.arrive();
	expect(entries.moved()).toEqual({ place: undefined });
	window.go(2);
	window.arrive();
	expect(entries.moved()).toEqual({ place: { panel: "files", file: "/a" } });
});

test("[PG740] the way back from a file to its folder is a step back when the folder was there, else the same entry", () => {
	const window = browser();
	const entries = createPanelHistory(window);
	entries.follow({ panel: "files", file: "/a" });
	entries.follow({ panel: "files" });
	expect(window.place()).toEqual([1, 2]);
	entries.follow({ panel: "files", file: "/b" });
	entries.follow({ panel: "files" });
	window.arrive();
	expect(entries.moved()).toBe("ours");
	expect([window.place(), entries.current()]).toEqual([[1, 3], { panel: "files" }]);
	entries.follow({ panel: "review" });
	expect([window.place(), entries.current()]).toEqual([[1, 3], { panel: "review" }]);
});

test("[PG740] what is opened while a step back is under way gets its entry when that has arrived", () => {
	const window = browser();
	const entries = createPanelHistory(window);
	entries.follow({ panel: "review" });
	entries.follow(undefined);
	entries.follow({ panel: "terminal" });
	window.arrive();
	expect(entries.moved()).toBe("ours");
	expect([window.place(), entries.current()]).toEqual([[1, 2], { panel: "terminal" }]);
});

test("[PG740] an entry of somebody else is no panel", () => {
	for (const state of [null, 7, { over: 1 }, { over: { place: { panel: "elsewhere" }, depth: 1 } }])
		expect(createPanelHistory({ ...browser(), state }).current()).toBeUndefined();
});
