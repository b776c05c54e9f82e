import { Cron, CronPattern } from "croner";
import type { CronTimes, Timetable } from "../../core/ports/timetable.ts";
import { createZoneClock, type ZoneClock } from "./zone-clock.ts";

const HOURS = 24;
const TIME = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3})\d*)?)?(Z|[+-]\d\d:?\d\d)?$/i;

/** Croner reads the expressions; what clocks do in spring and autumn is decided here. */
export function createCronerTimetable(): Timetable {
	return {
		cron(expression, timezone) {
			const clock = findZone(timezone);
			if (clock === undefined) return undefined;
			try {
				// With names and nicknames, but without seconds, single dates, and `?`, which is the minute in which it is read.
				const cron = new Cron(expression, { mode: "5-part", timezone: "UTC" });
				if (cron.getOnce() !== null || expression.includes("?")) return undefined;
				const pattern = new CronPattern(cron.getPattern() ?? "", "UTC", { mode: "5-part" });
				const isEveryHour = pattern.hour.filter((each) => each !== 0).length === HOURS;
				return isEveryHour ? timesOfIntervals(cron.getPattern() ?? "", timezone) : timesOnTheClock(cron, clock);
			} catch {
				// Croner throws whatever is wrong with the expression; the caller has a sentence for all of it.
				return undefined;
			}
		},
		time(text, timezone) {
			const clock = findZone(timezone);
			const [, year, month, day, hour, minute, second = "0", fraction = "0", offset] = TIME.exec(text.trim()) ?? [];
			if (clock === undefined || year === undefined) return undefined;
			const [y, mo, d, h, mi, s] = [year, month, day, hour, minute, second].map(Number);
			const wall = Date.UTC(y ?? 0, (mo ?? 0) - 1, d, h, mi, s, Number(fraction.padEnd(3, "0")));
			// The thirtieth of February is no day, and half past twenty-five no time.
			if (!new Date(wall).toISOString().startsWith(`${year}-${month}-${day}T${hour}:${minute}:${second.padStart(2, "0")}`))
				return undefined;
			return offset === undefined ? clock.firstShowing(wall) : wall - offsetMs(offset);
		},
		isZone: (name) => findZone(name) !== undefined,
		ownZone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
	};
}

/** "Every quarter of an hour": a matter of time that passes. In the hour that repeats it goes on at its pace. */
function timesOfIntervals(expression: string, timezone: string): CronTimes {
	const cron = new Cron(expression, { mode: "5-part", timezone });
	return { next: (after) => cron.nextRun(new Date(after))?.getTime() };
}

/** "At half past one": a time on the clock. What the clock shows twice comes once, and what it leaves out comes when it has gone forward. */
function timesOnTheClock(utc: Cron, clock: ZoneClock): CronTimes {
	return {
		next(after) {
			let wall = utc.nextRun(new Date(clock.shownAt(after)));
			while (wall !== null) {
				const moment = clock.firstShowing(wall.getTime());
				// In the hour that repeats what comes now was shown before.
				if (moment > after) return moment;
				wall = utc.nextRun(wall);
			}
			return undefined;
		},
	};
}

function findZone(name: string): ZoneClock | undefined {
	try {
		// An offset is no zone: it does not know the summer.
		return /^[A-Za-z]/.test(name) ? createZoneClock(name) : undefined;
	} catch (error) {
		if (error instanceof RangeError) return undefined;
		throw error;
	}
}

function offsetMs(offset: string): number {
	if (offset.toUpperCase() === "Z") return 0;
	const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(-2))];
	return (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
