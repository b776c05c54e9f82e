import type { Schedule } from "@rightseat/protocol/http/schedules";
import { type IdSource, scheduleId, conversationId as toConversationId } from "../../../core/kernel/ids.ts";
import type { Schedules } from "../../../core/schedules/schedules.ts";
import type { ChatThread } from "../chats/chat-thread.ts";
import type { Speaker } from "../chats/speaker.ts";
import type { Messages } from "../messages/messages.ts";
import { oneLine } from "../render/status-text.ts";
import type { ButtonAction, Buttons } from "./buttons.ts";
import type { ConversationSwitch } from "./conversation-switch.ts";

/** Schedules that one message lists; the page has all of them. */
const MAX_LISTED = 8;

type Tapped = Extract<ButtonAction, { kind: "schedule" }>;

/** `/schedules`: what is sent at a time, with pause, run, and run or skip for what was missed. */
export interface ScheduleCommands {
	list(thread: ChatThread): void;
	/** What a button does; the sentence to say. Rejects with an AppError. */
	perform(thread: ChatThread, action: Tapped, by: string): Promise<string>;
}

export function createScheduleCommands(deps: {
	schedules: Pick<Schedules, "list" | "run" | "update" | "decide">;
	switcher: Pick<ConversationSwitch, "mayShow">;
	buttons: Pick<Buttons, "make">;
	speaker: Pick<Speaker, "words" | "say">;
	ids: IdSource;
}): ScheduleCommands {
	const { schedules, speaker } = deps;

	/** Everybody in a group reads along, so that it is told only of conversations that it showed before. */
	const mayKnow = (thread: ChatThread, { conversationId: id }: Schedule) =>
		id === undefined ? thread.chatId > 0 : deps.switcher.mayShow(thread, toConversationId(id));

	function lineOf(schedule: Schedule, number: number, words: Messages): string {
		const { prompt, cron, at, timezone, state, nextRun, missed, lastResult } = schedule;
		const next = nextRun === null ? words.scheduleState(state) : words.scheduleNext(onTheClock(nextRun, timezone));
		const when = cron ?? (at === undefined ? "" : onTheClock(at, timezone));
		return [
			`${number}. ${oneLine(prompt, 80)}`,
			`🗓 ${when} (${timezone}) · ${next}`,
			...(lastResult === undefined ? [] : [words.scheduleLast(lastResult.outcome)]),
			...(missed === undefined ? [] : [words.scheduleMissed(onTheClock(missed.due, timezone), missed.count)]),
		].join("\n");
	}

	return {
		list(thread) {
			const words = speaker.words(thread);
			const known = schedules.list().filter((schedule) => mayKnow(thread, schedule));
			const shown = known.slice(0, MAX_LISTED);
			if (shown.length === 0) {
				speaker.say(thread, words.noSchedules);
				return;
			}
			const more = known.length > shown.length ? [words.moreSchedules(known.length - shown.length)] : [];
			const keyboard = shown.map((schedule, index) =>
				buttonsOf(schedule).map((what) =>
					deps.buttons.make(thread.chatId, `${index + 1} · ${words.scheduleButton(what)}`, {
						kind: "schedule",
						scheduleId: schedule.id,
						what,
					}),
				),
			);
			const lines = shown.map((schedule, index) => lineOf(schedule, index + 1, words));
			speaker.say(thread, [...lines, ...more].join("\n\n"), { keyboard: keyboard.filter((row) => row.length > 0) });
		},
		async perform(thread, { scheduleId: given, what }, from) {
			const [id, actor] = [scheduleId(given), { origin: "telegram" as const, from }];
			if (what === "run") await schedules.run(id, deps.ids.next(), actor);
			else if (what === "make-up" || what === "skip") await schedules.decide(id, what === "skip" ? "skip" : "run", actor);
			else await schedules.update(id, { paused: what === "pause" }, actor);
			return speaker.words(thread).scheduleDone(what);
		},
	};
}

function buttonsOf({ state, missed }: Schedule): Tapped["what"][] {
	if (state === "conversation-gone") return [];
	const decide: Tapped["what"][] = missed === undefined ? ["run"] : ["make-up", "skip"];
	return [...decide, ...(state === "paused" ? (["resume"] as const) : state === "waiting" ? (["pause"] as const) : [])];
}

/** `2026-01-02 09:00`, in the zone of the schedule. */
const onTheClock = (iso: string, timeZone: string): string =>
	new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" }).format(new Date(iso));
