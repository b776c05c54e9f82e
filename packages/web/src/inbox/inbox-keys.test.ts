import { expect, test } from "vitest";
import { inboxKey } from "./inbox-keys.ts";
import { snoozeTimes } from "./snooze-times.ts";

const key = (name: string, held: object = {}) => ({ key: name, ctrlKey: false, metaKey: false, altKey: false, ...held });
const nowhere = { isField: false, isButton: false };

test("[PG901] keys rest while a person types, with a shortcut of the page, and Enter belongs to a button that has the focus", () => {
	expect(inboxKey(key("e"), { ...nowhere, isField: true })).toBeUndefined();
	expect(inboxKey(key("1", { ctrlKey: true }), nowhere)).toBeUndefined();
	expect(inboxKey(key("Enter"), { ...nowhere, isButton: true })).toBeUndefined();
	expect(inboxKey(key("Enter"), nowhere)).toEqual({ kind: "open" });
	expect(inboxKey(key("x"), nowhere)).toBeUndefined();
});

test("[PG902] the times to come back are to come, in order, and none is named twice", () => {
	const names = (now: Date) => snoozeTimes(now).map(({ name, until }) => `${name} ${until.getDay()} ${until.getHours()}`);
	expect(names(new Date(2026, 0, 7, 9, 30))).toEqual(["hour 3 10", "evening 3 18", "tomorrow 4 8", "week 1 8"]);
	// Sunday evening: tomorrow is Monday.
	expect(names(new Date(2026, 0, 11, 21, 0))).toEqual(["hour 0 22", "tomorrow 1 8"]);
	for (const { until } of snoozeTimes(new Date(2026, 0, 5, 7))) expect(until.getTime()).toBeGreaterThan(new Date(2026, 0, 5, 7).getTime());
});
