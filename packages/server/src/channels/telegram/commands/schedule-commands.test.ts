import type { Schedule } from "@rightseat/protocol/http/schedules";
import { expect, test } from "vitest";
import { MESSAGES } from "../messages/messages.ts";
import { createScheduleCommands } from "./schedule-commands.ts";

const NEWS: Schedule = {
	...{
		id: "s1",
		prompt: "Read the news",
		cron: "0 9 * * *",
		timezone: "Asia/Taipei",
		conversationId: "c1",
		paused: false,
		state: "waiting",
	},
	...{ nextRun: "2026-01-02T01:00:00.000Z", createdAt: "2026-01-01T00:00:00.000Z" },
};
const FRESH: Schedule = {
	...{
		id: "s2",
		prompt: "Build",
		at: "2026-01-01T02:00:00.000Z",
		timezone: "UTC",
		conversation: {},
		paused: false,
		state: "done",
		nextRun: null,
	},
	...{ lastResult: { outcome: "error" }, createdAt: "2026-01-01T00:00:00.000Z" },
	missed: { due: "2026-01-01T02:00:00.000Z", count: 1, reason: "server-off", since: "2026-01-01T03:00:00.000Z" },
};

function bed(schedules: Schedule[]) {
	const said: { text: string; buttons: string[] }[] = [];
	const done: unknown[] = [];
	const note =
		(what: string) =>
		async (...given: unknown[]) => {
			done.push([what, ...given]);
			return NEWS;
		};
	const commands = createScheduleCommands({
		schedules: { list: () => schedules, run: note("run"), update: note("update"), decide: note("decide") },
		switcher: { mayShow: ({ chatId }, id) => chatId > 0 || id === "c1" },
		buttons: { make: (_, text) => ({ text, callback_data: text }) },
		speaker: {
			words: () => MESSAGES.en,
			say: (_, text, { keyboard = [] } = {}) =>
				void said.push({ text: String(text), buttons: keyboard.flat().map((button) => button.text) }),
		},
		ids: { next: () => "click" },
	});
	return { commands, said, done };
}

test("[TG490] /schedules lists when each comes next, how it went and what was missed, with buttons for what can be done", () => {
	const { commands, said } = bed([NEWS, FRESH]);
	commands.list({ chatId: 7 });
	commands.list({ chatId: -7 });
	const news = "1. Read the news\n🗓 0 9 * * * (Asia/Taipei) · next 2026-01-02 09:00";
	const build = "2. Build\n🗓 2026-01-01 02:00 (UTC) · no time is left\nLast run: error\n⚠️ Missed: 2026-01-01 02:00";
	expect(said).toEqual([
		{ text: `${news}\n\n${build}`, buttons: ["1 · Run now", "1 · Pause", "2 · Run it now", "2 · Skip it"] },
		{ text: news, buttons: ["1 · Run now", "1 · Pause"] },
	]);
});

test("[TG490] of many the first are listed, the others counted, and of none it says so", () => {
	const { commands, said } = bed(
		Array.from({ length: 11 }, (_, index) => ({ ...NEWS, id: `s${index}`, state: "conversation-gone", nextRun: null })),
	);
	commands.list({ chatId: 7 });
	expect(said[0]?.text).toMatch(/8\. Read the news\n.+deleted\n\n… and 3 more on the page\.$/);
	expect(said[0]?.buttons).toEqual([]);
	const none = bed([]);
	none.commands.list({ chatId: 7 });
	expect(none.said).toEqual([{ text: MESSAGES.en.noSchedules, buttons: [] }]);
});

test("[TG491] a button runs it, pauses it, goes on with it, or settles what was missed, in the name of whoever tapped", async () => {
	const { commands, done } = bed([NEWS]);
	const by = { origin: "telegram", from: "Ann (7)" };
	const texts = [];
	for (const what of ["run", "pause", "resume", "make-up", "skip"] as const)
		texts.push(await commands.perform({ chatId: 7 }, { kind: "schedule", scheduleId: "s1", what }, "Ann (7)"));
	expect(texts).toEqual(["Sent.", "Paused.", "It goes on.", "Sent.", "Skipped."]);
	expect(done).toEqual([
		["run", "s1", "click", by],
		["update", "s1", { paused: true }, by],
		["update", "s1", { paused: false }, by],
		["decide", "s1", "run", by],
		["decide", "s1", "skip", by],
	]);
});
