import { inboxAnswer } from "@rightseat/protocol/http/inbox";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createWebBed, type WebBed } from "../../support/ws-harness.ts";

let bed: WebBed;
beforeAll(async () => {
	bed = await createWebBed();
});
afterAll(() => bed.close());

const inbox = async () => inboxAnswer.parse(await (await bed.api("/api/inbox")).json());

test("[IN32] the inbox is listed, seen and put off over HTTP, and every connection hears how many there are", async () => {
	const [one, two] = [await bed.connect(), await bed.connect()];
	const id = await bed.begin();
	one.send({ type: "copilot:send", data: { conversationId: id, prompt: "Hello" } });
	(await bed.runtime.nextTurn()).end();
	for (const socket of [one, two]) await socket.next("inbox:changed", ({ count }) => count === 1);
	const { items } = await inbox();
	expect(items).toEqual([
		{
			...{ id: expect.stringMatching(/^finished-[\w-]+$/), kind: "finished", conversationId: id, title: "Hello" },
			...{ why: "The answer is ready.", code: "turn-finished", params: {}, since: expect.stringMatching(/^20\d\d-.*Z$/) },
		},
	]);
	const path = `/api/inbox/${items[0]?.id}`;
	const post = async (to: string, body?: unknown) => (await bed.api(to, { method: "POST", body })).status;
	expect(await post(`${path}/snooze`, { until: "tomorrow" })).toBe(400);
	expect(await post(`${path}/snooze`, {})).toBe(400);
	expect(await post(`${path}/snooze`, { until: "2001-01-01T00:00:00Z" })).toBe(400);
	expect(await post("/api/inbox/finished-none/snooze", { until: new Date(Date.now() + 60_000).toISOString() })).toBe(404);
	expect(await post(`${path}/snooze`, { until: new Date(Date.now() + 60_000).toISOString() })).toBe(204);
	await two.next("inbox:changed", ({ count }) => count === 0);
	expect(await inbox()).toMatchObject({ items: [], snoozed: [{ kind: "finished" }] });
	expect((await bed.api(`${path}/snooze`, { method: "DELETE" })).status).toBe(204);
	expect(await post(`${path}/seen`)).toBe(204);
	expect(await post(`${path}/seen`)).toBe(404);
	expect(await inbox()).toEqual({ items: [], snoozed: [] });
});

test("[IN20] a page that shows a finished conversation has seen it when it says so after the end", async () => {
	const socket = await bed.connect();
	const id = await bed.begin();
	const look = () => socket.send({ type: "presence:set", requestId: "p", data: { visible: true, conversationId: id } });
	look();
	socket.send({ type: "copilot:send", data: { conversationId: id, prompt: "Hello" } });
	(await bed.runtime.nextTurn()).end();
	await socket.next("copilot:idle");
	expect((await inbox()).items).toEqual([]);
	socket.send({ type: "presence:set", data: { visible: false } });
	await socket.next("inbox:changed", ({ count }) => count === 1);
	look();
	await socket.next("inbox:changed", ({ count }) => count === 0);
	socket.send({ type: "presence:set", requestId: "q", data: { visible: false } });
	await socket.next("done");
	expect((await inbox()).items).toEqual([]);
});
