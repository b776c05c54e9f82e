import * as fc from "fast-check";
import { expect, test } from "vitest";
import { SEED } from "../../../../../test/support/seed.ts";
import { createCronerTimetable } from "./croner-timetable.ts";
import { createZoneClock } from "./zone-clock.ts";

const timetable = createCronerTimetable();
const MINUTE = 60_000;
const DAY = 86_400_000;

/** The next times of an expression, as `MM-DDTHH:MM` in UTC. */
function timesOf(cron: string, timezone: string, after: string, count: number): string[] {
	const times = timetable.cron(cron, timezone);
	let last: number | undefined = Date.parse(after);
	return Array.from({ length: count }, () => {
		last = times?.next(last ?? Number.NaN);
		return last === undefined ? "none" : new Date(last).toISOString().slice(5, 16);
	});
}

test.each([
	["once, the first time", "30 1 * * *", "Europe/London", "2026-10-24T12:00Z", ["10-25T00:30", "10-26T01:30"]],
	["each of several, once", "30 1,13 * * *", "Europe/London", "2026-10-24T20:00Z", ["10-25T00:30", "10-25T13:30", "10-26T01:30"]],
	["each of several, once", "*/30 1 * * *", "Europe/London", "2026-10-24T20:00Z", ["10-25T00:00", "10-25T00:30", "10-26T01:00"]],
	["by half an hour", "45 1 * * *", "Australia/Lord_Howe", "2026-04-04T00:00Z", ["04-04T14:45", "04-05T15:15"]],
	["every hour goes on", "0 * * * *", "Europe/London", "2026-10-24T23:30Z", ["10-25T00:00", "10-25T01:00", "10-25T02:00"]],
	["every hour goes on", "@hourly", "America/New_York", "2026-11-01T04:30Z", ["11-01T05:00", "11-01T06:00", "11-01T07:00"]],
])("[SC10] in the hour that repeats in autumn: %s (%s in %s)", (_what, cron, timezone, after, expected) => {
	expect(timesOf(cron, timezone, after, expected.length)).toEqual(expected);
});

test.each([
	["30 1 * * *", "Europe/London", "2026-03-28T12:00Z", ["03-29T01:00", "03-30T00:30"]],
	["30 2,14 * * *", "America/New_York", "2026-03-07T20:00Z", ["03-08T07:00", "03-08T18:30", "03-09T06:30"]],
	["*/20 2 * * *", "America/New_York", "2026-03-07T20:00Z", ["03-08T07:00", "03-09T06:00", "03-09T06:20"]],
	["0 0 * * *", "America/Santiago", "2026-09-05T12:00Z", ["09-06T04:00", "09-07T03:00"]],
])(
	"[SC11] a time that clocks leave out in spring comes once, when they have gone forward (%s in %s)",
	(cron, timezone, after, expected) => {
		expect(timesOf(cron, timezone, after, expected.length)).toEqual(expected);
	},
);

const ZONES = ["Europe/London", "America/New_York", "Australia/Lord_Howe", "Asia/Tehran", "America/Santiago", "Africa/Casablanca", "UTC"];
const CLOCKS = new Map(ZONES.map((timezone) => [timezone, createZoneClock(timezone)]));
const clockOf = (timezone: string) => CLOCKS.get(timezone) ?? createZoneClock(timezone);
const year = { min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) };

test("[SC10] in every zone, around every change of clocks, no time on the clock comes twice and none is left out", () => {
	const hours = fc.uniqueArray(fc.integer({ min: 0, max: 23 }), { minLength: 1, maxLength: 4 });
	const changes = ZONES.flatMap((timezone) => {
		const clock = clockOf(timezone);
		const days = Array.from({ length: (year.max - year.min) / DAY }, (_, day) => year.min + day * DAY);
		const offset = (moment: number) => clock.shownAt(moment) - moment;
		return days.filter((day) => offset(day) !== offset(day + DAY)).map((day) => ({ timezone, day }));
	});
	expect(changes.length).toBeGreaterThan(9);
	void fc.assert(
		fc.property(fc.constantFrom(...changes), hours, fc.integer({ min: 0, max: 59 }), ({ timezone, day }, hour, minute) => {
			const clock = clockOf(timezone);
			const times = timetable.cron(`${minute} ${hour.join(",")} * * *`, timezone);
			const seen: number[] = [];
			for (let due = times?.next(day - DAY); due !== undefined && due <= day + 2 * DAY; due = times?.next(due)) seen.push(due);
			// What the clock shows: no time twice, and on every whole day each of them, or the moment after a gap.
			const shown = seen.map((due) => Math.floor(clock.shownAt(due) / MINUTE));
			expect(new Set(shown).size).toBe(seen.length);
			expect([...seen].sort((a, b) => a - b)).toEqual(seen);
			const today = Math.floor(clock.shownAt(day) / DAY) * DAY;
			for (const each of hour) {
				const moment = clock.firstShowing(today + (each * 60 + minute) * MINUTE);
				if (moment > day - DAY && moment <= day + 2 * DAY) expect(seen).toContain(moment);
			}
		}),
		{ seed: SEED, numRuns: 60 },
	);
});

test("[SC11] the clock of a zone shows what a moment is called, and the first moment that is called so is found again", () => {
	void fc.assert(
		fc.property(fc.constantFrom(...ZONES), fc.integer(year), (timezone, moment) => {
			const clock = clockOf(timezone);
			const found = clock.firstShowing(clock.shownAt(moment));
			expect(clock.shownAt(found)).toBe(clock.shownAt(moment));
			expect(found).toBeLessThanOrEqual(moment);
			expect(moment - found).toBeLessThanOrEqual(2 * 3_600_000);
		}),
		{ seed: SEED, numRuns: 100 },
	);
});

test.each([
	"",
	"* * *",
	"60 * * * *",
	"* * * * * *",
	"a b c d e",
	"*/0 * * * *",
	"5-1 * * * *",
	"@reboot",
	"2026-12-01T00:00:00",
	"? * * * *",
])("[SC2] %j is no cron expression", (expression) => {
	expect(timetable.cron(expression, "UTC")).toBeUndefined();
});

test("[SC2] an expression has five fields, with names, steps, lists, ranges and nicknames; one without a date never comes", () => {
	expect(timesOf("0 9 * * MON-FRI", "UTC", "2026-11-20T12:00Z", 2)).toEqual(["11-23T09:00", "11-24T09:00"]);
	expect(timesOf("@daily", "Asia/Taipei", "2026-11-20T12:00Z", 1)).toEqual(["11-20T16:00"]);
	expect(timesOf("0 0 L * *", "UTC", "2026-11-20T12:00Z", 1)).toEqual(["11-30T00:00"]);
	expect(timesOf("0 0 31 2 *", "UTC", "2026-11-20T12:00Z", 1)).toEqual(["none"]);
	expect(timetable.cron("0 9 * * *", "Mars/Olympus")).toBeUndefined();
});

test("[SC3] a time has an offset or is on the clocks of the zone; days and hours that do not exist are none", () => {
	const read = (text: string, timezone = "Asia/Taipei") => {
		const moment = timetable.time(text, timezone);
		return moment === undefined ? undefined : new Date(moment).toISOString();
	};
	expect(read("2026-12-01T09:00")).toBe("2026-12-01T01:00:00.000Z");
	expect(read("2026-12-01 09:00:30.5")).toBe("2026-12-01T01:00:30.500Z");
	expect(read("2026-12-01T09:00Z")).toBe("2026-12-01T09:00:00.000Z");
	expect(read("2026-12-01T09:00:00.123+02:00")).toBe("2026-12-01T07:00:00.123Z");
	expect(read("2026-10-25T01:30", "Europe/London")).toBe("2026-10-25T00:30:00.000Z");
	expect(read("2026-03-29T01:30", "Europe/London")).toBe("2026-03-29T01:00:00.000Z");
	for (const bad of ["", "tomorrow", "2026-02-30T09:00", "2026-12-01T25:00", "2026-12-01", "12/01/2026 09:00", "1764579600000"])
		expect([bad, read(bad)]).toEqual([bad, undefined]);
	expect(["Asia/Taipei", "UTC", "Mars/Olympus", "+02:00", ""].map(timetable.isZone)).toEqual([true, true, false, false, false]);
	expect(timetable.isZone(timetable.ownZone())).toBe(true);
});
