import type { NewSchedule, ScheduledConversation, SchedulePatch } from "@rightseat/protocol/http/schedules";
import type { Conversations } from "../conversations/conversations.ts";
import { type ScheduleId, conversationId as toConversationId } from "../kernel/ids.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { ScheduleRow, Where } from "../ports/schedule-store.ts";
import type { Timetable } from "../ports/timetable.ts";
import { checkPrompt, checkZone, noTimeLeft, readWhen } from "./check-schedule.ts";

/** Makes rows of what people ask for; everything is checked, and nothing stored. */
export interface ScheduleEditor {
	create(id: ScheduleId, wanted: NewSchedule, timetable: Timetable, now: number): Promise<ScheduleRow>;
	/** What has to be changed in the schedule; when it is next is planned by `plan`. */
	edit(before: ScheduleRow, patch: SchedulePatch, timetable: Timetable, now: number): Promise<Partial<ScheduleRow>>;
	/** Its next time, which there has to be unless it rests. */
	plan(row: ScheduleRow, timetable: Timetable, now: number): Pick<ScheduleRow, "nextRun" | "plannedAt">;
}

export function createScheduleEditor(deps: {
	conversations: Pick<Conversations, "get" | "check">;
	redactor: Pick<Redactor, "text">;
	/** The first time after this moment that was not used. */
	nextTime(row: ScheduleRow, timetable: Timetable, after: number): number | null;
}): ScheduleEditor {
	const { conversations } = deps;

	/** A conversation that is there, or that could be begun. */
	async function whereOf(id: string | undefined, conversation: ScheduledConversation = {}): Promise<Where> {
		if (id !== undefined) return { conversationId: toConversationId(conversations.get(toConversationId(id)).id) };
		const { permissions: _, ...wanted } = conversation;
		await conversations.check(wanted);
		return { conversation };
	}
	const promptOf = (given: string) => deps.redactor.text(checkPrompt(given));

	return {
		async create(id, given, timetable, now) {
			const prompt = promptOf(given.prompt);
			const timezone = checkZone(timetable, given.timezone);
			const when = readWhen(timetable, given, timezone, now);
			const where = await whereOf(given.conversationId, given.conversation);
			return {
				...{ id, prompt, when, timezone, where, paused: given.paused ?? false, gone: false },
				...{ nextRun: null, plannedAt: now, forgottenThrough: 0, missed: undefined, createdAt: now },
			};
		},
		async edit(before, { prompt, at, cron, timezone: zone, conversationId, conversation, paused }, timetable, now) {
			const timezone = zone === undefined ? before.timezone : checkZone(timetable, zone);
			const isMoved = (at ?? cron ?? zone) !== undefined;
			const given = at === undefined && "cron" in before.when ? { cron: cron ?? before.when.cron } : { at, cron };
			const when = isMoved && (given.at ?? given.cron) !== undefined ? readWhen(timetable, given, timezone, now) : before.when;
			const isElsewhere = conversationId !== undefined || conversation !== undefined;
			return {
				...(prompt === undefined ? {} : { prompt: promptOf(prompt) }),
				// Whoever says anew when it is due starts afresh, also after a clock that was wrong.
				...(isMoved ? { timezone, when, forgottenThrough: 0 } : {}),
				...(isElsewhere ? { where: await whereOf(conversationId, conversation), gone: false } : {}),
				...(paused === undefined ? {} : { paused }),
			};
		},
		plan(row, timetable, now) {
			if (row.paused || row.gone) return { nextRun: null, plannedAt: now };
			const nextRun = deps.nextTime(row, timetable, now);
			if (nextRun === null) throw noTimeLeft();
			return { nextRun, plannedAt: now };
		},
	};
}
