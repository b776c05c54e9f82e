import type { Schedule } from "@rightseat/protocol/http/schedules";

/** How often, as the form asks for it. */
export const RHYTHMS = ["once", "daily", "weekdays", "hourly", "cron"] as const;
export type Rhythm = (typeof RHYTHMS)[number];

/** What stands in the form: a local date and time, a time of day, an expression. */
export interface ChosenTime {
	rhythm: Rhythm;
	date: string;
	time: string;
	cron: string;
}

/** As the server takes it; undefined while something is missing. */
export function timesOf({ rhythm, date, time, cron }: ChosenTime): { at: string } | { cron: string } | undefined {
	const [hour, minute] = time.split(":").map(Number);
	const clock = time === "" || hour === undefined || minute === undefined ? undefined : `${minute} ${hour}`;
	switch (rhythm) {
		case "once":
			return date === "" ? undefined : { at: date };
		case "daily":
			return clock === undefined ? undefined : { cron: `${clock} * * *` };
		case "weekdays":
			return clock === undefined ? undefined : { cron: `${clock} * * 1-5` };
		case "hourly":
			return { cron: "0 * * * *" };
		case "cron":
			return cron.trim() === "" ? undefined : { cron: cron.trim() };
	}
}

/** How often a schedule comes, in a word where there is one; `time` as on a clock. */
export function rhythmOf({ cron }: Pick<Schedule, "cron">): { rhythm: Rhythm; time: string; cron: string } {
	if (cron === undefined) return { rhythm: "once", time: "", cron: "" };
	if (cron === "0 * * * *" || cron === "@hourly") return { rhythm: "hourly", time: "", cron };
	const [, minute = "", hour = "", days] = /^(\d{1,2}) (\d{1,2}) \* \* (\*|1-5|MON-FRI)$/i.exec(cron) ?? [];
	const time = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
	if (days === undefined) return { rhythm: "cron", time: "", cron };
	return { rhythm: days === "*" ? "daily" : "weekdays", time, cron };
}

/** What stands in the form when a schedule is changed; a time is on the clocks of its own zone. */
export function chosenOf({ cron, at, nextRun, timezone }: Pick<Schedule, "cron" | "at" | "nextRun" | "timezone">): ChosenTime {
	const { rhythm, time } = rhythmOf({ cron });
	const due = nextRun ?? at;
	const date = cron !== undefined || due === undefined ? "" : onClocksOf(timezone, due);
	return { rhythm, date, time: time === "" ? "09:00" : time, cron: cron ?? "" };
}

/** As a field for date and time has it. A time without an offset is on those clocks already. */
function onClocksOf(timeZone: string, at: string): string {
	if (!/(Z|[+-]\d\d:?\d\d)$/i.test(at)) return at.slice(0, 16);
	// Swedish is written as the field has it.
	return new Date(at).toLocaleString("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" }).replace(" ", "T");
}

/** The zone that this device is in. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
