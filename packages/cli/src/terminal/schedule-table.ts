import type { Schedule } from "@rightseat/protocol/http/schedules";
import type { SpokenLanguage } from "@rightseat/protocol/sentences/say-coded";
import type { ScheduleWords } from "../commands/schedule-words.ts";
import type { Paint } from "./colour.ts";
import { safeLine } from "./safe-text.ts";
import { fit, pad, widthOf } from "./width.ts";

interface TableLook {
	words: ScheduleWords;
	language: SpokenLanguage;
	/** Of the terminal; undefined: nothing is cut. */
	columns: number | undefined;
	paint: Paint;
}

/** Schedules in columns, a line each, with a head; times on the clocks of each schedule's own zone. */
export function scheduleTable(schedules: readonly Schedule[], { words, language, columns, paint }: TableLook): string[] {
	const timeOf = (iso: string, timeZone: string) =>
		new Date(iso).toLocaleString(language, { dateStyle: "short", timeStyle: "short", hourCycle: "h23", timeZone });
	const rows = schedules.map((row) => ({
		id: safeLine(row.id),
		state: row.missed === undefined ? words.states[row.state] : words.missed,
		next: row.nextRun === null ? "-" : timeOf(row.nextRun, row.timezone),
		last: row.lastResult === undefined ? "-" : words.outcomes[row.lastResult.outcome],
		when: safeLine(row.cron === undefined ? row.timezone : `${row.cron} ${row.timezone}`),
		prompt: safeLine(row.prompt),
		isMissed: row.missed !== undefined,
	}));
	const names = ["id", "state", "next", "last", "when"] as const;
	const widths = names.map((name) => Math.max(widthOf(words.columns[name]), ...rows.map((row) => widthOf(row[name]))));
	const before = widths.reduce((sum, width) => sum + width + 2, 0);
	const promptColumns = columns === undefined ? Number.POSITIVE_INFINITY : Math.max(10, columns - before - 1);
	const line = (row: Record<(typeof names)[number] | "prompt", string>, looks: (name: string, text: string) => string) =>
		[...names.map((name, at) => looks(name, pad(row[name], widths[at] ?? 0))), fit(row.prompt, promptColumns)].join("  ").trimEnd();
	return [
		line(words.columns, (_, text) => paint(text, "dim")),
		...rows.map((row) =>
			line(row, (name, text) => {
				if (name === "state" && row.isMissed) return paint(text, "yellow");
				return paint(text, ...(name === "id" ? (["cyan"] as const) : (["dim"] as const)));
			}),
		),
	].map((text) => `${text}\n`);
}
