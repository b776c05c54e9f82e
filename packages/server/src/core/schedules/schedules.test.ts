import type { NewSchedule } from "@rightseat/protocol/http/schedules";
import { MAX_SCHEDULE_PROMPT_CHARS, MAX_SCHEDULES } from "@rightseat/protocol/http/schedules";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MAX_QUEUE_ITEMS } from "../../../../protocol/src/limits.ts";
import { conversationId, messageId, scheduleId } from "../kernel/ids.ts";
import { createScheduleBed, HOUR, refused, type ScheduleBed } from "./schedules-harness.ts";

let bed: ScheduleBed;
beforeEach(async () => {
	bed = await createScheduleBed();
});
afterEach(() => bed.close());

test("[SC1] a prompt is sent at its time, once, and the schedule says when it ran and how that ended", async () => {
	const id = await bed.begin();
	const made = await bed.schedules.create({ prompt: "Read the news", at: "2026-01-01T01:00:00Z", conversationId: id });
	expect(made).toMatchObject({ prompt: "Read the news", nextRun: "2026-01-01T01:00:00.000Z", state: "waiting", paused: false });
	expect(made.lastRun).toBeUndefined();
	await bed.clock.advance(HOUR - 1);
	expect(bed.prompts(id)).toEqual([]);
	await bed.clock.advance(1);
	expect(bed.prompts(id)).toEqual(["Read the news"]);
	expect(bed.only()).toMatchObject({
		nextRun: null,
		state: "done",
		lastRun: "2026-01-01T01:00:00.000Z",
		lastResult: { outcome: "running", conversationId: id },
	});
	await bed.answer("error");
	expect(bed.only().lastResult?.outcome).toBe("error");
	await bed.clock.advance(48 * HOUR);
	expect(bed.prompts(id)).toEqual(["Read the news"]);
});

test("[SC1] by an expression it is sent each time, where wanted in a new conversation with what was asked for", async () => {
	await bed.schedules.create({
		prompt: "Look",
		cron: "0 9 * * *",
		timezone: "Asia/Taipei",
		conversation: { title: "Morning", cwd: "/shop", permissions: "ask" },
	});
	expect(bed.only().nextRun).toBe("2026-01-01T01:00:00.000Z");
	for (const day of [1, 2, 3]) {
		await bed.clock.advance(day === 1 ? HOUR : 24 * HOUR);
		await bed.answer("completed");
		const last = bed.only();
		expect(last).toMatchObject({ nextRun: `2026-01-0${day + 1}T01:00:00.000Z`, lastResult: { outcome: "completed" } });
		expect(bed.core.conversations.get(conversationId(last.lastResult?.conversationId ?? ""))).toMatchObject({
			title: "Morning",
			cwd: "/shop",
			permissions: "ask",
		});
	}
	expect(bed.core.conversations.list().conversations).toHaveLength(3);
});

test("[SC2] what cannot be read, never comes or lies in the past is refused with what is wrong, and nothing is stored", async () => {
	const id = await bed.begin();
	const bad = (given: Partial<NewSchedule>) => refused(bed.schedules.create({ prompt: "x", conversationId: id, ...given }));
	expect(await bad({ cron: "every day" })).toBe("bad-schedule/cron");
	expect(await bad({ cron: "* * * * * *" })).toBe("bad-schedule/cron");
	expect(await bad({ cron: "0 0 31 2 *" })).toBe("bad-schedule/never");
	expect(await bad({ cron: "0 9 * * *", timezone: "Mars/Olympus" })).toBe("bad-schedule/timezone");
	expect(await bad({ at: "2026-12-01T09:00Z", timezone: "Mars/Olympus" })).toBe("bad-schedule/timezone");
	expect(await bad({ at: "soon" })).toBe("bad-schedule/at");
	expect(await bad({ at: "2025-12-31T23:59:59Z" })).toBe("bad-schedule/past");
	expect(await bad({ at: "2126-01-01T00:00:00Z" })).toBe("bad-schedule/too-far");
	expect(await bad({ cron: "@daily", prompt: "  " })).toBe("empty-prompt/");
	expect(await bad({ cron: "@daily", conversationId: "unknown" })).toBe("conversation-not-found/");
	expect(await bad({ cron: "@daily", conversationId: undefined, conversation: { cwd: "/missing" } })).toBe("cwd-missing/");
	expect(await bad({ cron: "@daily", conversationId: undefined, conversation: { agent: "nobody" } })).toMatch(/^unknown-agent/);
	expect(bed.schedules.list()).toEqual([]);
});

test("[SC3] a prompt has at most 16,384 characters, and there are at most 100 schedules; a secret of ours is kept in none", async () => {
	const id = await bed.begin();
	const wanted = { cron: "@daily", conversationId: id };
	expect(await refused(bed.schedules.create({ ...wanted, prompt: "x".repeat(MAX_SCHEDULE_PROMPT_CHARS + 1) }))).toBe(
		"too-large/scheduled-prompt",
	);
	const made = await bed.schedules.create({ ...wanted, prompt: "Use s3cret-value" });
	expect(made.prompt).not.toContain("s3cret");
	for (let count = 1; count < MAX_SCHEDULES; count += 1) await bed.schedules.create({ ...wanted, prompt: "x" });
	expect(await refused(bed.schedules.create({ ...wanted, prompt: "x" }))).toBe("too-many-schedules/");
	bed.schedules.delete(scheduleId(made.id));
	expect(await refused(bed.schedules.create({ ...wanted, prompt: "x" }))).toBe("fine");
	expect(await refused(bed.schedules.run(scheduleId(made.id)))).toBe("not-found/schedule");
});

test("[SC9] a schedule whose conversation is deleted says so and rests, and goes on in another one", async () => {
	const [id, other] = [await bed.begin(), await bed.begin()];
	const { id: schedule } = await bed.schedules.create({ prompt: "Hourly", cron: "0 * * * *", conversationId: id });
	await bed.core.conversations.delete(id);
	expect(bed.only()).toMatchObject({ state: "conversation-gone", nextRun: null });
	await bed.clock.advance(3 * HOUR);
	expect(bed.only().lastRun).toBeUndefined();
	expect(await refused(bed.schedules.run(scheduleId(schedule)))).toBe("conversation-not-found/");
	await bed.schedules.update(scheduleId(schedule), { conversationId: other });
	await bed.clock.advance(HOUR);
	expect(bed.prompts(other)).toEqual(["Hourly"]);
	bed.schedules.delete(scheduleId(schedule));
	await bed.clock.advance(5 * HOUR);
	expect(bed.prompts(other)).toEqual(["Hourly"]);
});

test("[SC12] while it is paused nothing comes due; what is changed holds from then on; a time that has passed needs a new one", async () => {
	const id = await bed.begin();
	const made = await bed.schedules.create({ prompt: "At noon", at: "2026-01-01T12:00Z", conversationId: id, paused: true });
	expect(made).toMatchObject({ paused: true, state: "paused", nextRun: null });
	const edit = (patch: Parameters<typeof bed.schedules.update>[1]) => bed.schedules.update(scheduleId(made.id), patch);
	expect(await edit({ paused: false })).toMatchObject({ paused: false, nextRun: "2026-01-01T12:00:00.000Z" });
	await edit({ paused: true });
	await bed.clock.advance(24 * HOUR);
	expect(bed.only()).toMatchObject({ state: "paused" });
	expect(bed.only().missed).toBeUndefined();
	expect(await refused(edit({ paused: false }))).toBe("bad-schedule/no-time-left");
	expect(await refused(edit({ cron: "nonsense" }))).toBe("bad-schedule/cron");
	expect(bed.only()).toMatchObject({ paused: true, at: "2026-01-01T12:00:00.000Z" });
	const changed = await edit({ paused: false, cron: "0 9 * * *", timezone: "Asia/Taipei", prompt: "At nine" });
	expect(changed).toMatchObject({ cron: "0 9 * * *", timezone: "Asia/Taipei", prompt: "At nine", nextRun: "2026-01-02T01:00:00.000Z" });
	expect(changed.at).toBeUndefined();
	expect(await edit({ timezone: "UTC" })).toMatchObject({ nextRun: "2026-01-02T09:00:00.000Z" });
	expect(await edit({ conversation: { title: "Own" } })).toMatchObject({
		conversation: { title: "Own" },
		nextRun: "2026-01-02T09:00:00.000Z",
	});
	await bed.clock.advance(9 * HOUR);
	await bed.answer("completed");
	expect(bed.prompts(conversationId(bed.only().lastResult?.conversationId ?? ""))).toEqual(["At nine"]);
	expect(bed.prompts(id)).toEqual([]);
});

test("[SC13] a run that cannot be begun is told as missed with the reason, and can be tried again", async () => {
	const id = await bed.begin();
	const { conversations, runtime } = bed.core;
	conversations.prompt({ conversationId: id, prompt: "Long work", origin: "web" });
	const long = await runtime.nextTurn();
	for (let count = 0; count < MAX_QUEUE_ITEMS; count += 1) conversations.prompt({ conversationId: id, prompt: `${count}`, origin: "web" });
	const { id: schedule } = await bed.schedules.create({ prompt: "Late", at: "2026-01-01T01:00Z", conversationId: id });
	await bed.clock.advance(HOUR);
	expect(bed.only()).toMatchObject({ missed: { reason: "failed" }, lastResult: { outcome: "failed", error: { code: "queue-full" } } });
	expect(await refused(bed.schedules.decide(scheduleId(schedule), "run"))).toBe("queue-full/too-many");
	expect(bed.only().missed).toMatchObject({ reason: "failed" });
	const [first] = conversations.queue(id);
	conversations.dropQueued(id, messageId(first?.messageId ?? ""));
	expect(await bed.schedules.decide(scheduleId(schedule), "run")).toMatchObject({ lastResult: { outcome: "queued" } });
	expect(bed.only().missed).toBeUndefined();
	expect(conversations.queue(id).filter(({ content }) => content === "Late")).toHaveLength(1);
	long.end();
});

test("[SC14] it can be run now, besides its times; the same wish twice is one run, and a prompt taken out of the queue stays out", async () => {
	const id = await bed.begin();
	const made = await bed.schedules.create({ prompt: "Look", cron: "0 0 1 * *", conversationId: id, paused: true });
	const schedule = scheduleId(made.id);
	const [one, two] = await Promise.all([bed.schedules.run(schedule, "click"), bed.schedules.run(schedule, "click")]);
	expect([one.lastResult?.outcome, two.lastResult?.outcome]).toEqual(["running", "running"]);
	await bed.schedules.run(schedule);
	expect(bed.only().lastResult?.outcome).toBe("queued");
	const [queued] = bed.core.conversations.queue(id);
	bed.core.conversations.dropQueued(id, messageId(queued?.messageId ?? ""));
	await bed.answer("completed");
	expect(bed.prompts(id)).toEqual(["Look"]);
	expect(bed.only()).toMatchObject({ state: "paused", lastResult: { outcome: "dropped" } });
});

test("[SC16] everybody is told of every change, when it is stored", async () => {
	const id = await bed.begin();
	let told = 0;
	bed.schedules.onChange(() => {
		told += 1;
	});
	const { id: schedule } = await bed.schedules.create({ prompt: "Look", at: "2026-01-01T01:00Z", conversationId: id });
	expect(told).toBe(1);
	await bed.clock.advance(HOUR);
	expect(told).toBeGreaterThanOrEqual(2);
	const before = told;
	await bed.answer("completed");
	expect(told).toBeGreaterThan(before);
	const last = told;
	bed.schedules.delete(scheduleId(schedule));
	expect(told).toBe(last + 1);
});
