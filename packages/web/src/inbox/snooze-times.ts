const MORNING_HOUR = 8;
const EVENING_HOUR = 18;

/** Until when something can be put off, by its name. */
export type SnoozeName = "hour" | "evening" | "tomorrow" | "week";

/** The choices at this moment, the soonest first; the evening only while it is still to come. */
export function snoozeTimes(now: Date): { name: SnoozeName; until: Date }[] {
	const at = (days: number, hour: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);
	const hour = { name: "hour" as const, until: new Date(now.getTime() + 3_600_000) };
	const evening = { name: "evening" as const, until: at(0, EVENING_HOUR) };
	const toMonday = (8 - now.getDay()) % 7 || 7;
	const rest = [
		{ name: "tomorrow" as const, until: at(1, MORNING_HOUR) },
		...(toMonday > 1 ? [{ name: "week" as const, until: at(toMonday, MORNING_HOUR) }] : []),
	];
	return evening.until.getTime() > hour.until.getTime() ? [hour, evening, ...rest] : [hour, ...rest];
}
