// @vitest-environment happy-dom
import type { Schedule } from "@rightseat/protocol/http/schedules";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LanguageProvider } from "../i18n/use-words.tsx";
import { testConversation } from "../sidebar/test-conversation.ts";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { chosenOf, ownZone, rhythmOf, timesOf } from "./schedule-times.ts";
import { SchedulesDialog } from "./schedules-dialog.tsx";

const DAILY: Schedule = {
	...{ id: "s/1", prompt: "Read the news", cron: "30 7 * * *", timezone: ownZone(), conversationId: "c1", paused: false, state: "waiting" },
	...{ nextRun: "2030-01-02T07:30:00.000Z", createdAt: "2026-01-02T03:04:05.000Z" },
};
const MISSED: Schedule = {
	...DAILY,
	...{ lastRun: "2030-01-01T07:30:00.000Z", lastResult: { outcome: "error", conversationId: "c1", messageId: "u1" } },
	missed: { due: "2029-12-31T07:30:00.000Z", count: 3, reason: "server-off", since: "2030-01-01T00:00:00.000Z" },
};
let schedules: Schedule[];
let calls: { call: string; body: unknown }[];
let refusal: { code: string; message: string; params?: object } | undefined;
beforeEach(() => {
	schedules = [];
	calls = [];
	refusal = undefined;
	vi.stubGlobal("fetch", async (path: string, { method, body }: RequestInit) => {
		if (method === "GET") return Response.json({ schedules });
		calls.push({ call: `${method} ${path}`, body: typeof body === "string" ? JSON.parse(body) : undefined });
		if (refusal !== undefined) return Response.json({ error: refusal }, { status: 400 });
		if (method === "DELETE") schedules = [];
		else if (path.endsWith("/missed") || path.endsWith("/s%2F1")) schedules = [{ ...DAILY, paused: path.endsWith("/s%2F1") }];
		else if (!path.endsWith("/run")) schedules = [DAILY];
		return method === "DELETE" ? new Response(null, { status: 204 }) : Response.json({ schedule: DAILY }, { status: 200 });
	});
});
afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});
const show = () => {
	const page = createTestPage({ conversations: [testConversation({ id: "c1", title: "Shop" })], openId: "c1" });
	renderInPage(page, <SchedulesDialog />);
	return page;
};
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));
const type = (role: "textbox", name: string, value: string) => fireEvent.change(screen.getByRole(role, { name }), { target: { value } });

test("[PG915] a prompt is scheduled with when and where, in the zone of the device, and the list shows it", async () => {
	show();
	await screen.findByText("Nothing is scheduled.");
	expect(screen.getByRole("button", { name: "Schedule it" })).toHaveProperty("disabled", true);
	type("textbox", "Prompt", "Read the news");
	fireEvent.click(screen.getByRole("radio", { name: "Every day" }));
	fireEvent.change(screen.getByLabelText("Time of day"), { target: { value: "07:30" } });
	press("Schedule it");
	await screen.findByText("It is scheduled.");
	const wanted = { prompt: "Read the news", timezone: ownZone(), cron: "30 7 * * *", conversationId: "c1" };
	expect(calls).toEqual([{ call: "POST /api/schedules", body: wanted }]);
	const list = within(screen.getByRole("list", { name: "Schedules" }));
	expect(list.getByText("Every day at 07:30 · In Shop")).toBeDefined();
	expect(list.getByText(/^Next: Jan \d, 2030 /)).toBeDefined();
	expect(screen.getByRole("textbox", { name: "Prompt" })).toHaveProperty("value", "");
	expect(screen.getByRole("radio", { name: "In a new conversation" })).toBeDefined();
	fireEvent.click(screen.getByRole("radio", { name: "Cron expression" }));
	fireEvent.click(screen.getByRole("radio", { name: "Each time in a new conversation" }));
	type("textbox", "Minute, hour, day, month, weekday", "*/5 * * * *");
	type("textbox", "Prompt", "Look");
	press("Schedule it");
	await waitFor(() => expect(calls).toHaveLength(2));
	expect(calls[1]?.body).toEqual({ prompt: "Look", timezone: ownZone(), cron: "*/5 * * * *", conversation: {} });
});

test("[PG916] it is run, paused and, after a question, deleted; a frame of the server brings the list up to date", async () => {
	schedules = [DAILY];
	const page = show();
	await screen.findByText("Read the news");
	press("Run now: Read the news");
	await waitFor(() =>
		expect(calls).toEqual([{ call: "POST /api/schedules/s%2F1/run", body: { runId: expect.stringMatching(/^[\w-]{36}$/) } }]),
	);
	await waitFor(() => expect(screen.getByRole("button", { name: "Pause: Read the news" })).toHaveProperty("disabled", false));
	press("Pause: Read the news");
	await screen.findByRole("button", { name: "Continue: Read the news" });
	expect(calls[1]).toEqual({ call: "PATCH /api/schedules/s%2F1", body: { paused: true } });
	schedules = [MISSED];
	page.receive({ type: "schedules:changed", data: { count: 1 } });
	await screen.findByText(/, failed$/);
	press("Delete: Read the news");
	expect(calls).toHaveLength(2);
	press("Delete");
	await screen.findByText("Nothing is scheduled.");
	expect(calls[2]?.call).toBe("DELETE /api/schedules/s%2F1");
});

test.each([
	["run", "Run it now"],
	["skip", "Skip it"],
])("[PG917] what was missed says so with its reason, and is settled in place: %s", async (decision, button) => {
	schedules = [MISSED];
	show();
	await screen.findByText(/^Missed 3 times since .+\. The server was off\.$/);
	press(button);
	await waitFor(() => expect(screen.queryByText(/^Missed/)).toBeNull());
	expect(calls).toEqual([{ call: "POST /api/schedules/s%2F1/missed", body: { decision } }]);
});

test("[PG928] a schedule is changed in its place: only what was changed is sent, and cancelling changes nothing", async () => {
	schedules = [{ ...DAILY, timezone: "Asia/Taipei" }];
	show();
	await screen.findByText("Read the news");
	press("Edit: Read the news");
	const form = within(screen.getByRole("list", { name: "Schedules" }));
	const prompt = form.getByRole("textbox", { name: "Prompt" });
	expect([document.activeElement, form.getByText("On the clocks of Asia/Taipei.")]).toEqual([prompt, expect.anything()]);
	fireEvent.change(prompt, { target: { value: "Something else" } });
	fireEvent.click(form.getByRole("button", { name: "Cancel" }));
	expect(document.activeElement).toBe(form.getByRole("button", { name: "Edit: Read the news" }));
	press("Edit: Read the news");
	fireEvent.change(form.getByRole("textbox", { name: "Prompt" }), { target: { value: "Read the papers" } });
	fireEvent.click(form.getByRole("button", { name: "Save" }));
	await screen.findByText("It is changed.");
	press("Edit: Read the news");
	fireEvent.change(form.getByLabelText("Time of day"), { target: { value: "08:00" } });
	fireEvent.click(form.getByRole("button", { name: "Save" }));
	await waitFor(() => expect(calls).toHaveLength(2));
	expect(calls).toEqual([
		{ call: "PATCH /api/schedules/s%2F1", body: { prompt: "Read the papers" } },
		{ call: "PATCH /api/schedules/s%2F1", body: { prompt: "Read the news", cron: "0 8 * * *", timezone: ownZone() } },
	]);
	const once = { cron: undefined, timezone: "Asia/Taipei", nextRun: null };
	expect([
		chosenOf({ ...once, at: "2030-01-31T01:00:00.000Z" }).date,
		chosenOf({ ...once, at: "2030-01-31T09:30" }).date,
		chosenOf({ ...once, at: "2030-01-01T00:00", nextRun: "2030-02-01T01:00:00.000Z" }).date,
	]).toEqual(["2030-01-31T09:00", "2030-01-31T09:30", "2030-02-01T09:00"]);
});

test("[PG918] what the server refuses is said, and what was typed stays; in Chinese, too", async () => {
	refusal = { code: "bad-schedule", message: "“x” is no cron expression.", params: { reason: "cron", value: "x" } };
	const page = createTestPage();
	renderInPage(
		page,
		<LanguageProvider language="zh-Hant">
			<SchedulesDialog />
		</LanguageProvider>,
	);
	await screen.findByText("沒有任何排程。");
	type("textbox", "提示", "看新聞");
	fireEvent.click(screen.getByRole("radio", { name: "Cron 運算式" }));
	type("textbox", "分、時、日、月、星期", "x");
	press("加入排程");
	await waitFor(() => expect(screen.getByRole("alert").textContent).toMatch(/^操作失敗：/));
	expect(screen.getByRole("textbox", { name: "提示" })).toHaveProperty("value", "看新聞");
	expect(calls[0]?.body).toEqual({ prompt: "看新聞", timezone: ownZone(), cron: "x", conversation: {} });
});

test("[PG915] what is chosen becomes what the server takes, and back a word where there is one", () => {
	const chosen = { rhythm: "once", date: "2030-01-02T09:00", time: "09:05", cron: " 1 2 3 4 5 " } as const;
	expect((["once", "daily", "weekdays", "hourly", "cron"] as const).map((rhythm) => timesOf({ ...chosen, rhythm }))).toEqual([
		{ at: "2030-01-02T09:00" },
		{ cron: "5 9 * * *" },
		{ cron: "5 9 * * 1-5" },
		{ cron: "0 * * * *" },
		{ cron: "1 2 3 4 5" },
	]);
	expect(timesOf({ ...chosen, date: "" })).toBeUndefined();
	expect(timesOf({ ...chosen, rhythm: "daily", time: "" })).toBeUndefined();
	expect(timesOf({ ...chosen, rhythm: "cron", cron: " " })).toBeUndefined();
	const words = [undefined, "5 9 * * *", "0 7 * * MON-FRI", "@hourly", "1 2 3 4 5"].map((cron) => rhythmOf({ cron }));
	expect(words.map(({ rhythm, time }) => `${rhythm} ${time}`)).toEqual(["once ", "daily 09:05", "weekdays 07:00", "hourly ", "cron "]);
});

test("[PG960] a schedule of another host names it, and a host that is offline is said to be left out", async () => {
	const known = { lastSeen: null, version: "1" };
	schedules = [{ ...DAILY, host: { id: "tower", name: "tower" } }];
	const page = show();
	page.receive({
		type: "fleet:hosts",
		data: {
			hosts: [
				{ id: "desk", name: "desk", self: true, state: "online", ...known },
				{ id: "tower", name: "tower", self: false, state: "online", ...known },
				{ id: "laptop", name: "laptop", self: false, state: "offline", ...known },
			],
		},
	});
	await screen.findByText("Every day at 07:30 · In Shop · tower");
	expect(screen.getByText("Without what is on laptop: offline.")).toBeDefined();
});
