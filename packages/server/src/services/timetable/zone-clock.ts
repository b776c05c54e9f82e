/** The clock on the wall in one time zone, as milliseconds that `Date.UTC` would give for what it shows. */
export interface ZoneClock {
	/** What the clock shows at this moment. */
	shownAt(moment: number): number;
	/** When the clock shows this for the first time; what it leaves out, in spring, is the moment in which it goes forward. */
	firstShowing(wall: number): number;
}

const DAY_MS = 86_400_000;

/** Throws a RangeError when there is no such zone. */
export function createZoneClock(timezone: string): ZoneClock {
	const format = new Intl.DateTimeFormat("en-US", {
		...{ timeZone: timezone, calendar: "gregory", numberingSystem: "latn", hourCycle: "h23", era: "short" },
		...{ year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" },
	});

	function shownAt(moment: number): number {
		const shown: Record<string, number> = {};
		for (const { type, value } of format.formatToParts(moment)) shown[type] = Number(value);
		const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
		// Below a second every zone shows the same.
		return Date.UTC(year, month - 1, day, hour, minute, second) + (((moment % 1_000) + 1_000) % 1_000);
	}
	const offsetAt = (moment: number) => shownAt(moment) - moment;

	return {
		shownAt,
		firstShowing(wall) {
			// A zone changes its clocks at most once within two days.
			const [before, after] = [offsetAt(wall - DAY_MS), offsetAt(wall + DAY_MS)];
			if (offsetAt(wall - before) === before) return wall - before;
			if (offsetAt(wall - after) === after) return wall - after;
			let [early, late] = [wall - after, wall - before];
			while (late - early > 1) {
				const middle = Math.floor((early + late) / 2);
				if (offsetAt(middle) === before) early = middle;
				else late = middle;
			}
			return late;
		},
	};
}
