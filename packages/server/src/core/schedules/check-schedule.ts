import { MAX_FUTURE_DAYS, MAX_SCHEDULE_PROMPT_CHARS, MAX_SCHEDULES } from "@rightseat/protocol/http/schedules";
import { cutText } from "@rightseat/protocol/text";
import { AppError } from "../kernel/errors.ts";
import type { When } from "../ports/schedule-store.ts";
import type { Timetable } from "../ports/timetable.ts";

const MAX_QUOTED_CHARS = 80;

/** Throws `bad-schedule` when there is no such zone. */
export function checkZone(timetable: Timetable, given: string | undefined): string {
	if (given === undefined) return timetable.ownZone();
	if (timetable.isZone(given)) return given;
	const value = cutText(given, MAX_QUOTED_CHARS);
	throw new AppError("bad-schedule", `“${value}” is no time zone. Give a name such as Europe/London or Asia/Taipei.`, {
		params: { reason: "timezone", value },
	});
}

/** One of the two. */
export interface GivenTimes {
	at?: string | undefined;
	cron?: string | undefined;
}

/** Throws `bad-schedule` when it cannot be read, has passed, or never comes. */
export function readWhen(timetable: Timetable, given: GivenTimes, timezone: string, now: number): When {
	if (given.at !== undefined) return { at: readTime(timetable, given.at, timezone, now) };
	const cron = given.cron?.trim() ?? "";
	const value = cutText(cron, MAX_QUOTED_CHARS);
	const times = timetable.cron(cron, timezone);
	if (times === undefined)
		throw new AppError("bad-schedule", `“${value}” is no cron expression of five fields: minute, hour, day, month, weekday.`, {
			params: { reason: "cron", value },
		});
	if (times.next(now) === undefined)
		throw new AppError("bad-schedule", `“${value}” never comes: there is no such date.`, { params: { reason: "never", value } });
	return { cron };
}

function readTime(timetable: Timetable, given: string, timezone: string, now: number): number {
	const value = cutText(given, MAX_QUOTED_CHARS);
	const at = timetable.time(given, timezone);
	if (at === undefined)
		throw new AppError("bad-schedule", `“${value}” is no time. Write it like 2026-12-01T09:00, or with Z or an offset at the end.`, {
			params: { reason: "at", value },
		});
	if (at <= now) throw new AppError("bad-schedule", `“${value}” has passed. Choose a time to come.`, { params: { reason: "past", value } });
	if (at > now + MAX_FUTURE_DAYS * 86_400_000)
		throw new AppError("bad-schedule", `“${value}” is too far away. Choose a time within the next ten years.`, {
			params: { reason: "too-far", value },
		});
	return at;
}

/** Throws `empty-prompt` or `too-large`. */
export function checkPrompt(prompt: string): string {
	if (prompt.trim() === "") throw new AppError("empty-prompt", "The message is empty. Type something first.");
	if (prompt.length <= MAX_SCHEDULE_PROMPT_CHARS) return prompt;
	throw new AppError(
		"too-large",
		`This prompt has ${prompt.length} characters; a schedule takes at most ${MAX_SCHEDULE_PROMPT_CHARS}. Put the text into a file that the agent reads.`,
		{ params: { reason: "scheduled-prompt", chars: prompt.length, max: MAX_SCHEDULE_PROMPT_CHARS } },
	);
}

/** It can go on only with a time to come. */
export const noTimeLeft = () =>
	new AppError("bad-schedule", "Its time has passed. Give it a new one.", { params: { reason: "no-time-left" } });

export const scheduleNotFound = () =>
	new AppError("not-found", "There is no such schedule. It may have been deleted.", { params: { reason: "schedule" } });

export const tooManySchedules = () =>
	new AppError("too-many-schedules", `There are ${MAX_SCHEDULES} schedules already. Delete one first.`, { params: { max: MAX_SCHEDULES } });

export const itsConversationIsGone = () =>
	new AppError("conversation-not-found", "The conversation of this schedule was deleted. Choose another one for it.");

export const nothingMissed = () =>
	new AppError("not-found", "Nothing is missed here any more: it was decided already.", { params: { reason: "nothing-missed" } });
