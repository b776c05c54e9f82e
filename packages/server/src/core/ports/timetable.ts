/** Reads when something is to happen: cron expressions, times and zones. */
export interface Timetable {
	/** Undefined: it cannot be read. */
	cron(expression: string, timezone: string): CronTimes | undefined;
	/** A time with an offset (`2026-12-01T09:00Z`), or one on the clocks of the zone (`2026-12-01T09:00`). Undefined: it cannot be read. */
	time(text: string, timezone: string): number | undefined;
	/** A name that the IANA list has, such as `Asia/Taipei`. */
	isZone(name: string): boolean;
	/** The zone of this machine. */
	ownZone(): string;
}

/** The times of one expression, in one zone. */
export interface CronTimes {
	/** The first one after this moment, or undefined when there is none. */
	next(after: number): number | undefined;
}
