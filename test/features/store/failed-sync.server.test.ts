import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isReadOn, readOnRoutes } from "../../../packages/server/src/channels/web/http/read-on.ts";
import type { ConversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import { listRoutes } from "../../support/list-routes.ts";
import { createWebBed, type WebBed } from "../../support/ws-harness.ts";

let bed: WebBed;
let folder: string;
/** How syncs go; those that are held end when they are told to. */
let mode: "work" | "hold" | "fail";
let held: ((error?: Error) => void) | undefined;

beforeEach(async () => {
	folder = mkdtempSync(join(tmpdir(), "rightseat-sync-"));
	mode = "work";
	held = undefined;
	const sync = (done: (error?: Error) => void) => {
		if (mode === "hold") held = done;
		else setImmediate(() => done(mode === "fail" ? new Error("EIO") : undefined));
	};
	bed = await createWebBed({ disk: { path: join(folder, "rightseat.db"), syncer: { sync, close: async () => undefined } } });
});
afterEach(async () => {
	await bed.close();
	rmSync(folder, { recursive: true, force: true });
});

async function call(path: string, init?: Parameters<WebBed["api"]>[1]) {
	const response = await bed.api(path, init);
	const text = await response.text();
	return { status: response.status, text };
}
const prompt = (id: ConversationId, clientMessageId: string) =>
	call(`/api/conversations/${id}/messages`, { method: "POST", body: { prompt: "Go", clientMessageId } });

/** Two conversations, and a prompt in the second that was committed and never synced. */
async function failWhileSaving() {
	const [saved, unsaved] = [await bed.begin(), await bed.begin()];
	expect((await call("/api/conversations")).status).toBe(200);
	mode = "fail";
	expect(await prompt(unsaved, "m1")).toMatchObject({ status: 503, text: expect.stringContaining("storage-read-only") });
	return { saved, unsaved };
}

test("[HT620] after a failed sync what is in doubt is refused in words over HTTP, and the rest can be read", async () => {
	const { saved, unsaved } = await failWhileSaving();
	for (const end of ["", "/messages", "/export", "/context", "/forks"])
		expect(await call(`/api/conversations/${unsaved}${end}`), end).toMatchObject({
			status: 503,
			text: expect.stringContaining("cannot be shown until Rightseat is restarted"),
		});
	expect(await prompt(unsaved, "m1")).toMatchObject({ status: 503 });
	for (const end of ["", "/messages", "/export"]) expect((await call(`/api/conversations/${saved}${end}`)).status, end).toBe(200);
	const list = await call("/api/conversations");
	expect([list.status, list.text.includes(saved), list.text.includes(unsaved)]).toEqual([200, true, false]);
	for (const path of ["/api/inbox", "/api/search?q=Go", "/api/status", "/api/agents"]) expect((await call(path)).status, path).toBe(200);
	for (const path of ["/api/settings", "/api/audit", "/api/sessions", "/api/schedules", "/api/usage", "/api/mcp-tokens"])
		expect(await call(path), path).toMatchObject({ status: 503, text: expect.stringContaining("storage-read-only") });
});

test("[HT620] what was read before a sync failed and waits for it is refused, whatever it is", async () => {
	const saved = await bed.begin();
	expect((await call("/api/conversations")).status).toBe(200);
	mode = "hold";
	const unsaved = await bed.begin();
	const asked = ["/api/conversations", `/api/conversations/${saved}`, `/api/conversations/${unsaved}`, "/api/inbox"].map((path) =>
		call(path),
	);
	const socket = await bed.connect();
	socket.send({ type: "ping" });
	await socket.next("pong");
	held?.(new Error("EIO"));
	for (const answer of await Promise.all(asked)) expect(answer.status).toBe(503);
	expect((await call(`/api/conversations/${saved}`)).status).toBe(200);
});

test("[WS600] after a failed sync nothing is confirmed on a socket, and a conversation in doubt is not opened", async () => {
	const [saved, unsaved] = [await bed.begin(), await bed.begin()];
	const socket = await bed.connect();
	const send = (id: ConversationId, clientMessageId: string) =>
		socket.send({ type: "copilot:send", data: { conversationId: id, prompt: "Go", clientMessageId } });
	send(saved, "m0");
	await socket.next("copilot:ack");
	(await bed.runtime.nextTurn()).end();
	await socket.next("copilot:idle");
	expect((await call("/api/conversations")).status).toBe(200);
	mode = "fail";
	send(unsaved, "m1");
	const refused = await socket.next("copilot:nack");
	expect(refused.data).toMatchObject({ clientMessageId: "m1", code: "storage-read-only", retryable: true });

	const page = await bed.connect();
	for (const [id, clientMessageId] of [
		[unsaved, "m1"],
		[saved, "m0"],
	] as const) {
		page.send({ type: "copilot:send", data: { conversationId: id, prompt: "Go", clientMessageId } });
		expect((await page.next("copilot:nack")).data).toMatchObject({ clientMessageId, code: "storage-read-only", retryable: true });
	}
	page.send({ type: "copilot:subscribe", requestId: "doubt", data: { conversationId: unsaved } });
	const error = await page.next("error");
	expect([error.requestId, error.data.message]).toEqual(["doubt", expect.stringContaining("cannot be shown until Rightseat is restarted")]);
	page.send({ type: "copilot:subscribe", data: { conversationId: saved } });
	expect((await page.next("copilot:snapshot")).data.conversationId).toBe(saved);
	page.send({ type: "copilot:queue_drop", requestId: "done?", data: { conversationId: saved, messageId: "none" } });
	expect((await page.next("error")).requestId).toBe("done?");
	page.send({ type: "bash:jobs", requestId: "jobs" });
	expect((await page.next("bash:jobs")).requestId).toBe("jobs");
	expect(page.frames.filter(({ type }) => type === "copilot:ack" || type === "done")).toEqual([]);
});

test("[WS600] a reader that waits for the disk when it fails is told so", async () => {
	const unsaved = await bed.begin();
	const socket = await bed.connect();
	expect((await call("/api/conversations")).status).toBe(200);
	mode = "hold";
	void bed.conversations.update(unsaved, { title: "Never synced" });
	socket.send({ type: "copilot:subscribe", requestId: "waits", data: { conversationId: unsaved } });
	socket.send({ type: "ping" });
	await socket.next("pong");
	held?.(new Error("EIO"));
	const error = await socket.next("error");
	expect([error.requestId, error.data.code, error.data.conversationId]).toEqual(["waits", "storage-read-only", unsaved]);
});

test("[HT620] every route that is read on exists", () => {
	const routes = listRoutes(bed.channel.http.printRoutes({ commonPrefix: false })).filter(({ method }) => method === "GET");
	const paths = new Set(routes.map(({ path }) => path));
	expect(readOnRoutes.filter((path) => !paths.has(path))).toEqual([]);
	expect([...paths].filter((path) => path.startsWith("/api/conversations/:id")).every(isReadOn)).toBe(true);
});
