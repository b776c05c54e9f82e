import fc from "fast-check";
import { expect, test } from "vitest";
import { caretAllowsHistory, emptyHistory, lineOf, MAX_HISTORY_ENTRIES, newer, older, remember } from "./input-history.ts";

test("[PG50] arrow-up walks back through sent lines and arrow-down returns to the unsent one", () => {
	const history = ["first", "!ls", "third"].reduce(remember, emptyHistory());
	const one = older(history, "half written");
	const two = one && older(one.history, one.text);
	expect([one?.text, two?.text]).toEqual(["third", "!ls"]);
	const back = two && newer(two.history);
	const end = back && newer(back.history);
	expect([back?.text, end?.text]).toEqual(["third", "half written"]);
	expect(end && newer(end.history)).toBeUndefined();
});

test("[PG50] the history is bounded, keeps the newest lines and no blank or repeated ones", () => {
	fc.assert(
		fc.property(fc.array(fc.string({ maxLength: 6 }), { maxLength: 300 }), (lines) => {
			const { entries } = lines.reduce(remember, emptyHistory());
			expect(entries.length).toBeLessThanOrEqual(MAX_HISTORY_ENTRIES);
			expect(entries.every((entry, index) => entry !== "" && entry !== entries[index - 1])).toBe(true);
			expect(entries.at(-1)).toBe(lines.findLast((line) => line.trim() !== "")?.trim());
		}),
	);
});

test("[PG50] the arrows move the caret inside a text of several lines", () => {
	expect(caretAllowsHistory("one\ntwo", 5, "older")).toBe(false);
	expect(caretAllowsHistory("one\ntwo", 2, "older")).toBe(true);
	expect(caretAllowsHistory("one\ntwo", 2, "newer")).toBe(false);
	expect(caretAllowsHistory("one\ntwo", 7, "newer")).toBe(true);
});

test("[PG340] arrow-up gives back what was typed, and passes over a line of which only the beginning is here", () => {
	const typed = {
		id: "m1",
		role: "user" as const,
		content: "the beginning",
		metadata: { origin: "web" as const },
		createdAt: "2026-01-02T03:04:05Z",
	};
	const ran = { ...typed, content: "output", metadata: { origin: "web" as const, bash: true, command: "ls" } };
	expect([lineOf(typed), lineOf(ran)]).toEqual(["the beginning", "!ls"]);
	expect(lineOf({ ...typed, truncated: { content: 900_000 } })).toBe("");
	expect(lineOf({ ...ran, truncated: { command: 900_000 } })).toBe("");
	expect(lineOf({ ...ran, truncated: { content: 900_000 } })).toBe("!ls");
});
