import { afterAll, beforeAll, expect, test } from "vitest";
import { createFakeClock } from "../../support/fake-clock.ts";
import { createWebBed, type WebBed } from "../../support/ws-harness.ts";

const clock = createFakeClock();
let bed: WebBed;
beforeAll(async () => {
	bed = await createWebBed({ clock });
});
afterAll(async () => {
	let isClosed = false;
	const closing = bed.close().finally(() => {
		isClosed = true;
	});
	while (!isClosed) await clock.advance(1_000);
	await closing;
});

async function api(method: string, path: string, body?: unknown) {
	const response = await bed.api(`/api/schedules${path}`, { method, ...(body === undefined ? {} : { body }) });
	return { status: response.status, body: response.status === 204 ? undefined : Object(await response.json()) };
}

test("[SC17] schedules are made, listed, changed, run and deleted over HTTP, and every connection hears of it", async () => {
	const conversationId = await bed.begin();
	const socket = await bed.connect();
	const made = await api("POST", "", { prompt: "Look", cron: "0 9 * * *", timezone: "Asia/Taipei", conversationId });
	const { id } = made.body.schedule;
	const schedule = { id, prompt: "Look", cron: "0 9 * * *", timezone: "Asia/Taipei", conversationId, paused: false };
	const waiting = { ...schedule, state: "waiting", nextRun: "2026-01-01T01:00:00.000Z", createdAt: "2026-01-01T00:00:00.000Z" };
	expect(made).toEqual({ status: 201, body: { schedule: waiting } });
	expect(await socket.next("schedules:changed")).toMatchObject({ data: { count: 1 } });
	expect(await api("GET", "")).toEqual({ status: 200, body: { schedules: [waiting] } });
	expect(await api("PATCH", `/${id}`, { paused: true })).toMatchObject({
		status: 200,
		body: { schedule: { paused: true, nextRun: null } },
	});
	const ran = await api("POST", `/${id}/run`);
	expect(ran).toMatchObject({ status: 202, body: { schedule: { lastResult: { outcome: "running", conversationId } } } });
	expect((await bed.runtime.nextTurn()).input.prompt).toBe("Look");
	expect(await api("POST", `/${id}/missed`, { decision: "run" })).toMatchObject({ status: 404 });
	expect(await api("POST", `/${id}/missed`, { decision: "maybe" })).toMatchObject({ status: 400 });
	expect(await api("DELETE", `/${id}`)).toEqual({ status: 204, body: undefined });
	for (const [method, path] of [
		["DELETE", ""],
		["PATCH", ""],
		["POST", "/run"],
	] as const)
		expect(await api(method, `/${id}${path}`, method === "PATCH" ? { paused: true } : undefined)).toMatchObject({ status: 404 });
	expect(bed.rows("SELECT detail FROM audit_log WHERE kind = 'schedule' ORDER BY id")).toEqual([
		{ detail: `created ${id}: Look` },
		{ detail: `changed ${id}: Look` },
		{ detail: `ran ${id}: Look` },
		{ detail: `deleted ${id}: ` },
	]);
});

test("[SC2] what makes no schedule is refused with 400 and a sentence, and nothing is kept", async () => {
	const conversationId = await bed.begin();
	const post = (body: object) => api("POST", "", { prompt: "Look", conversationId, ...body });
	const [cron, at] = ["0 9 * * *", "2026-12-01T09:00:00Z"];
	const bad: [object, string][] = [
		[{}, "Give either a time (at) or a cron expression (cron)."],
		[{ cron, at }, "Give either a time (at) or a cron expression (cron)."],
		[{ cron, conversationId: undefined }, "Give either a conversationId or a conversation to begin each time."],
		[{ cron, conversation: {} }, "Give either a conversationId or a conversation to begin each time."],
		[{ cron: "61 * * * *" }, "“61 * * * *” is no cron expression of five fields: minute, hour, day, month, weekday."],
		[{ cron, timezone: "Nowhere" }, "“Nowhere” is no time zone. Give a name such as Europe/London or Asia/Taipei."],
		[{ at: "2025-12-01T09:00:00Z" }, "“2025-12-01T09:00:00Z” has passed. Choose a time to come."],
		[{ cron, conversationId: undefined, conversation: { worktree: true } }, "A scheduled conversation cannot have a work tree"],
		[{ cron, prompt: 5 }, '"prompt": Give text, not a number.'],
		[{ cron, prompt: "" }, "The message is empty."],
	];
	for (const [body, sentence] of bad) {
		const answer = await post(body);
		expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining(sentence)]);
	}
	expect(await post({ cron, conversationId: "nobody" })).toMatchObject({ status: 404 });
	expect(await api("GET", "")).toEqual({ status: 200, body: { schedules: [] } });
});
