import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SEED } from "../../../../../test/support/seed.ts";
import { conversationId, scheduleId } from "../kernel/ids.ts";
import { LATE_MS } from "./clock-runs.ts";
import { MAX_KEPT_RUNS } from "./runs.ts";
import { createScheduleBed, HOUR, refused, type ScheduleBed } from "./schedules-harness.ts";

let bed: ScheduleBed;
beforeEach(async () => {
	bed = await createScheduleBed();
});
afterEach(() => bed.close());

test("[SC4] in a busy conversation it waits in the queue; while it waits there no second one joins it, and that is told once", async () => {
	const id = await bed.begin();
	bed.core.conversations.prompt({ conversationId: id, prompt: "Long work", origin: "web" });
	const long = await bed.core.runtime.nextTurn();
	await bed.schedules.create({ prompt: "Check", cron: "*/10 * * * *", conversationId: id });
	await bed.clock.advance(10 * 60_000);
	expect(bed.only()).toMatchObject({ lastResult: { outcome: "queued" } });
	expect(bed.only().missed).toBeUndefined();
	await bed.clock.advance(30 * 60_000);
	expect(bed.core.conversations.queue(id).map(({ content }) => content)).toEqual(["Check"]);
	expect(bed.only().missed).toMatchObject({ due: "2026-01-01T00:20:00.000Z", count: 3, reason: "still-waiting" });
	long.end();
	await bed.answer("completed");
	expect(bed.only().lastResult?.outcome).toBe("completed");
	await bed.clock.advance(10 * 60_000);
	await bed.answer("completed");
	expect(bed.prompts(id)).toEqual(["Long work", "Check", "Check"]);
});

test("[SC5] a queue that rests until a person acts goes on resting: the scheduled prompt waits in it", async () => {
	const id = await bed.begin();
	const { conversations } = bed.core;
	conversations.prompt({ conversationId: id, prompt: "First", origin: "web" });
	conversations.prompt({ conversationId: id, prompt: "Second", origin: "web" });
	await bed.answer("error");
	await bed.schedules.create({ prompt: "Nightly", at: "2026-01-01T03:00Z", conversationId: id });
	await bed.clock.advance(4 * HOUR);
	expect(conversations.active()).toEqual([]);
	expect(conversations.queue(id).map(({ content }) => content)).toEqual(["Second", "Nightly"]);
	expect(bed.only().lastResult?.outcome).toBe("queued");
	conversations.prompt({ conversationId: id, prompt: "I am here", origin: "web" });
	for (const _ of [1, 2, 3]) await bed.answer("completed");
	expect(bed.prompts(id)).toEqual(["First", "Second", "Nightly", "I am here"]);
	expect(bed.only().lastResult?.outcome).toBe("completed");
});

test("[SC6] what was missed while the server was off is told once, however often, and is run or left as a person decides, once", async () => {
	const id = await bed.begin();
	const { id: schedule } = await bed.schedules.create({ prompt: "Hourly", cron: "0 * * * *", timezone: "UTC", conversationId: id });
	await bed.crash(() => bed.clock.advance(5.5 * HOUR));
	expect(bed.prompts(id)).toEqual([]);
	const missed = { due: "2026-01-01T01:00:00.000Z", count: 5, reason: "server-off", since: "2026-01-01T05:30:00.000Z" };
	expect(bed.only()).toMatchObject({ missed, nextRun: "2026-01-01T06:00:00.000Z" });
	await bed.crash(() => bed.clock.advance(0));
	expect(bed.only().missed).toEqual(missed);
	const item = {
		kind: "schedule-missed",
		conversationId: id,
		code: "schedule-missed",
		scheduleId: expect.any(String),
		params: { reason: "server-off", time: "2026-01-01 01:00 (UTC)" },
	};
	expect(bed.core.conversations.inbox.list()).toMatchObject([item]);
	const ran = await bed.schedules.decide(scheduleId(schedule), "run");
	expect(ran.missed).toBeUndefined();
	expect(bed.core.conversations.inbox.list()).toEqual([]);
	expect(await refused(bed.schedules.decide(scheduleId(schedule), "run"))).toBe("not-found/nothing-missed");
	await bed.answer("completed");
	expect(bed.prompts(id)).toEqual(["Hourly"]);
	await bed.crash(() => bed.clock.advance(24 * 40 * HOUR));
	expect(bed.only().missed).toMatchObject({ count: 20 });
	expect((await bed.schedules.decide(scheduleId(schedule), "skip")).missed).toBeUndefined();
	await bed.clock.advance(HOUR);
	await bed.answer("completed");
	expect(bed.prompts(id)).toEqual(["Hourly", "Hourly"]);
});

test("[SC7] a crash between claim and prompt is told as missed, and one after the prompt was stored sends nothing again", async () => {
	const id = await bed.begin();
	await bed.schedules.create({ prompt: "Once", at: "2026-01-01T01:00Z", conversationId: id });
	bed.dieBeforePrompt();
	await bed.crash(() => bed.clock.advance(HOUR));
	expect(bed.prompts(id)).toEqual([]);
	const told = bed.only();
	expect(told).toMatchObject({
		missed: { due: "2026-01-01T01:00:00.000Z", count: 1 },
		lastResult: { outcome: "failed", error: { code: "interrupted" } },
	});
	bed.dieAfterPrompt();
	const run = bed.schedules.decide(scheduleId(told.id), "run");
	await bed.crash(() => bed.clock.advance(0));
	void run.catch(() => undefined);
	expect(bed.prompts(id)).toEqual(["Once"]);
	expect(bed.only().missed).toBeUndefined();
	expect(bed.only().lastResult?.outcome).toBe("interrupted");
	await bed.clock.advance(48 * HOUR);
	expect(bed.prompts(id)).toEqual(["Once"]);
});

test("[SC7] a run that a crash left halfway is told as missed in the step that ends it, whatever the disk refuses then", async () => {
	const id = await bed.begin();
	await bed.schedules.create({ prompt: "Once", at: "2026-01-01T01:00Z", conversationId: id });
	bed.dieBeforePrompt();
	await bed.crash(async () => {
		await bed.clock.advance(HOUR + 2 * LATE_MS);
		bed.refuse(["update"]);
	});
	expect(bed.refusals()).toBe(1);
	await bed.clock.advance(5_000);
	expect(bed.only()).toMatchObject({ missed: { due: "2026-01-01T01:00:00.000Z" }, lastResult: { outcome: "failed" } });
	expect(bed.prompts(id)).toEqual([]);
});

test("[SC15] what a person made up for and the disk refused is sent when it can be, or still told as missed, and never both", async () => {
	const id = await bed.begin();
	await bed.schedules.create({ prompt: "Once", at: "2026-01-01T01:00Z", conversationId: id });
	bed.dieBeforePrompt();
	await bed.crash(() => bed.clock.advance(HOUR));
	bed.refuse(["prompt", "updateRun"]);
	expect(await refused(bed.schedules.decide(scheduleId(bed.only().id), "run"))).toBe("storage-busy/");
	expect(bed.refusals()).toBe(2);
	await bed.clock.advance(5_000);
	expect([bed.prompts(id), bed.only().missed]).toEqual([["Once"], undefined]);
});

test("[SC8] a clock that is set back repeats nothing, and one that was far ahead leaves nothing dead", async () => {
	const id = await bed.begin();
	await bed.schedules.create({ prompt: "Hourly", cron: "0 * * * *", conversationId: id });
	await bed.clock.advance(HOUR);
	await bed.answer("completed");
	bed.clock.jump(-HOUR + 60_000);
	await bed.clock.advance(HOUR);
	expect(bed.prompts(id)).toHaveLength(1);
	expect(bed.only().nextRun).toBe("2026-01-01T02:00:00.000Z");
	bed.clock.jump(365 * 24 * HOUR);
	await bed.clock.advance(60_000);
	expect(bed.prompts(id)).toHaveLength(1);
	expect(bed.only()).toMatchObject({ missed: { due: "2026-01-01T02:00:00.000Z", count: 20 } });
	bed.clock.jump(-365 * 24 * HOUR);
	await bed.clock.advance(60_000);
	expect(bed.only().nextRun).toBe("2026-01-01T02:00:00.000Z");
	await bed.clock.advance(HOUR);
	await bed.answer("completed");
	expect(bed.prompts(id)).toHaveLength(2);
	expect(bed.only().missed).toBeUndefined();
});

test.each([{ refused: ["claim", "prompt"] }, { refused: ["updateRun"] }] as const)(
	"[SC15] what could not be stored is tried again while it is not too late, and nothing is sent twice: $refused",
	async ({ refused }) => {
		const id = await bed.begin();
		await bed.schedules.create({ prompt: "Soon", at: "2026-01-01T01:00Z", conversationId: id });
		bed.refuse([...refused]);
		await bed.clock.advance(HOUR + 30_000);
		expect(bed.prompts(id)).toEqual(["Soon"]);
		expect(bed.refusals()).toBe(refused.length);
		await bed.answer("completed");
		expect(bed.only()).toMatchObject({ lastResult: { outcome: "completed" } });
		expect(bed.only().missed).toBeUndefined();
	},
);

test("[SC18] a disk that refuses at the start does not keep the server from starting, and what became of a run is noted later", async () => {
	const id = await bed.begin();
	await bed.schedules.create({ prompt: "Soon", at: "2026-01-01T01:00Z", conversationId: id });
	await bed.clock.advance(HOUR);
	await bed.core.runtime.nextTurn();
	await bed.crash(async () => bed.refuse(["updateRun"]));
	expect(bed.refusals()).toBe(1);
	await bed.clock.advance(5_000);
	const [run] = bed.core.store.schedules.openRuns();
	expect(run).toBeUndefined();
	expect(bed.only()).toMatchObject({ lastResult: { outcome: "interrupted" } });
	expect(bed.prompts(id)).toEqual(["Soon"]);
});

test("[SC8] a machine that slept past a time for more than a minute has missed it; a little late is in time", async () => {
	const id = await bed.begin();
	await bed.schedules.create({ prompt: "Hourly", cron: "0 * * * *", timezone: "UTC", conversationId: id });
	await bed.clock.advance(HOUR - 10_000);
	bed.clock.jump(LATE_MS / 2);
	await bed.clock.advance(10_000);
	await bed.answer("completed");
	expect(bed.prompts(id)).toEqual(["Hourly"]);
	await bed.clock.advance(HOUR - LATE_MS);
	bed.clock.jump(2 * LATE_MS);
	await bed.clock.advance(LATE_MS);
	expect(bed.prompts(id)).toEqual(["Hourly"]);
	expect(bed.only()).toMatchObject({ missed: { due: "2026-01-01T02:00:00.000Z", reason: "server-off" } });
});

test("[SC8] of a schedule the newest runs are remembered one by one, and a clock that is set back before them repeats none", async () => {
	const id = await bed.begin();
	const { id: schedule } = await bed.schedules.create({ prompt: "Tick", cron: "* * * * *", timezone: "UTC", conversationId: id });
	for (let minute = 0; minute < MAX_KEPT_RUNS + 5; minute += 1) {
		await bed.clock.advance(60_000);
		(await bed.core.runtime.nextTurn()).end();
		await bed.clock.settle();
	}
	const ran = bed.prompts(id).length;
	bed.clock.jump(-(MAX_KEPT_RUNS + 4) * 60_000);
	await bed.clock.advance((MAX_KEPT_RUNS + 3) * 60_000);
	expect(bed.prompts(id)).toHaveLength(ran);
	expect(bed.only().nextRun).toBe(new Date(Date.UTC(2026, 0, 1, 0, MAX_KEPT_RUNS + 6)).toISOString());
	expect(bed.core.store.schedules.findRun(scheduleId(schedule), String(Date.UTC(2026, 0, 1, 0, 1)))).toBeUndefined();
});

test("[SC7] whatever the clock does and whenever the server dies, no time is sent twice, and none passes without a run or a word", async () => {
	type Step = { kind: "advance" | "jump" | "crash"; minutes: number } | { kind: "answer" };
	const step: fc.Arbitrary<Step> = fc.oneof(
		fc.record({ kind: fc.constantFrom("advance", "advance", "crash"), minutes: fc.integer({ min: 0, max: 180 }) }),
		fc.record({ kind: fc.constant("jump"), minutes: fc.integer({ min: -240, max: 240 }) }),
		fc.record({ kind: fc.constant("answer") }),
	);
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
			const world = await createScheduleBed();
			try {
				await world.schedules.create({ prompt: "Tick", cron: "*/30 * * * *", timezone: "UTC", conversation: {} });
				for (const each of steps) {
					if (each.kind === "advance") await world.clock.advance(each.minutes * 60_000);
					if (each.kind === "jump") world.clock.jump(each.minutes * 60_000);
					if (each.kind === "crash") await world.crash(() => world.clock.advance(each.minutes * 60_000));
					if (each.kind === "answer" && world.core.conversations.active().length > 0) await world.answer("completed");
				}
				await world.clock.advance(60_000);
				const { conversations } = world.core.conversations.list({ limit: 200 });
				const times = conversations.flatMap(({ id }) => world.sentIds(conversationId(id)));
				expect(new Set(times).size).toBe(times.length);
				expect(times).toHaveLength(conversations.length);
				const { nextRun, missed } = world.only();
				expect(Date.parse(nextRun ?? "")).toBeGreaterThan(world.clock.now());
				if (!steps.some(({ kind }) => kind === "jump")) {
					const passed = Math.floor((world.clock.now() - Date.UTC(2026, 0, 1)) / 1_800_000);
					expect(Math.min(times.length + (missed?.count ?? 0), 20)).toBe(Math.min(passed, 20));
				}
			} finally {
				await world.close();
			}
		}),
		{ seed: SEED, numRuns: 12 },
	);
});
