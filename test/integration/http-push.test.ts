import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MAX_PUSH_SUBSCRIPTIONS } from "../../packages/server/src/channels/web/push/push-subscriptions.ts";
import type { ConversationId } from "../../packages/server/src/core/ids.ts";
import { createWebBed, type WebBed } from "./ws-harness.ts";

interface Push {
	endpoint: string;
	payload: Record<string, unknown>;
}
let bed: WebBed;
let id: ConversationId;
let pushes: Push[];
let gone: Set<string>;
beforeEach(async () => {
	pushes = [];
	gone = new Set();
	bed = await createWebBed({
		deps: {
			pushSender: {
				publicKey: async () => "public-key",
				async send({ endpoint }, payload) {
					pushes.push({ endpoint, payload: JSON.parse(payload) });
					return gone.has(endpoint) ? "gone" : "sent";
				},
			},
		},
	});
	id = await bed.begin();
	await bed.api(`/api/conversations/${id}`, { method: "PATCH", body: { title: "Tides" } });
});
afterEach(() => bed.close());

const endpoint = "https://push.example.org/abc";
const subscribe = (at = endpoint, headers: Record<string, string> = {}) =>
	bed.api("/api/push/subscriptions", { method: "POST", body: { endpoint: at, keys: { p256dh: "BPub_key-1", auth: "auth-1" } }, headers });
async function runTurn(outcome: "completed" | "error" = "completed") {
	const socket = await bed.connect();
	socket.send({ type: "copilot:send", data: { conversationId: id, prompt: "go" } });
	const turn = await bed.runtime.nextTurn();
	turn.text("done");
	turn.end(outcome);
	await socket.next("copilot:idle");
	await socket.next("conversation:updated", (data) => data.status !== "streaming" && data.status !== "idle");
	return socket;
}

test("[HT19] an ended turn is told to subscribed browsers with the conversation's name and address", async () => {
	expect(await (await bed.api("/api/push/key")).json()).toEqual({ publicKey: "public-key" });
	expect((await subscribe()).status).toBe(201);
	await runTurn();
	expect(pushes).toEqual([
		{ endpoint, payload: { title: "Tides", body: "The answer is ready.", tag: id, conversationId: id, path: `/c/${id}` } },
	]);
});

test("[HT19] nothing is told about a conversation that a visible page looks at", async () => {
	await subscribe();
	const page = await bed.connect();
	page.send({ type: "presence:set", data: { visible: true, conversationId: id } });
	page.send({ type: "ping" });
	await page.next("pong");
	await runTurn();
	expect(pushes).toEqual([]);
	page.send({ type: "presence:set", data: { visible: false } });
	page.send({ type: "ping" });
	await page.next("pong");
	await runTurn("error");
	expect(pushes.map((push) => push.payload.body)).toEqual(["The answer failed."]);
});

test("[WS45] a page that has gone looks at nothing", async () => {
	await subscribe();
	const page = await bed.connect();
	page.send({ type: "presence:set", data: { visible: true, conversationId: id } });
	page.send({ type: "ping" });
	await page.next("pong");
	page.ws.close();
	await page.closed;
	await runTurn();
	expect(pushes).toHaveLength(1);
});

test("[HT19] a question is told with its words, once", async () => {
	await subscribe();
	const socket = await bed.connect();
	socket.send({ type: "copilot:send", data: { conversationId: id, prompt: "go" } });
	const turn = await bed.runtime.nextTurn();
	const asked = turn.options.ask({ question: "Which\ncoast?", allowFreeform: true }, turn.signal);
	const request = await socket.next("copilot:user_input_request");
	await socket.next("conversation:updated", (data) => data.asking === true);
	expect(pushes.map((push) => push.payload.body)).toEqual(["Which coast?"]);
	socket.send({
		type: "copilot:user_input_response",
		data: { conversationId: id, requestId: String(request.data.requestId), answer: "east" },
	});
	await asked;
	expect(pushes).toHaveLength(1);
});

test("[HT19] what people switched off is not told", async () => {
	await subscribe();
	await bed.api("/api/settings", { method: "PATCH", body: { notifyTurnEnd: false } });
	await runTurn();
	expect(pushes).toEqual([]);
});

test("[HT19] a browser that has gone is forgotten, so is one that unsubscribed or logged out", async () => {
	await subscribe();
	gone.add(endpoint);
	await runTurn();
	const list = () => bed.rows("SELECT endpoint FROM push_subscriptions");
	await expect.poll(list).toEqual([]);
	await subscribe();
	expect((await bed.api("/api/push/subscriptions", { method: "DELETE", body: { endpoint } })).status).toBe(204);
	expect(list()).toEqual([]);
	await subscribe();
	await bed.api("/api/logout-everywhere", { method: "POST" });
	expect(list()).toEqual([]);
});

test("[HT19] subscriptions are bounded", async () => {
	for (let i = 0; i < MAX_PUSH_SUBSCRIPTIONS + 5; i += 1) await subscribe(`https://push.example.org/${i}`);
	expect(bed.rows("SELECT id FROM push_subscriptions")).toHaveLength(MAX_PUSH_SUBSCRIPTIONS);
});

test.each([
	"http://push.example.org/x",
	"https://127.0.0.1/x",
	"https://[::1]/x",
	"https://169.254.169.254/latest",
	"https://localhost/x",
	"https://router/x",
	"https://nas.local/x",
	"file:///etc/passwd",
	"not a url",
])("[SE30] a push service at %s is refused", async (at) => {
	expect((await subscribe(at)).status).toBe(400);
	expect(bed.rows("SELECT id FROM push_subscriptions")).toEqual([]);
});

test("[SE30] the server's own push keys are made once and readable by its owner only", async () => {
	const real = await createWebBed();
	const first = await (await real.api("/api/push/key")).json();
	expect(first).toEqual({ publicKey: expect.stringMatching(/^[\w-]{80,}$/) });
	expect(await (await real.api("/api/push/key")).json()).toEqual(first);
	const file = join(real.home, "push-keys.json");
	expect(statSync(file).mode & 0o777).toBe(0o600);
	expect(readFileSync(file, "utf8")).toContain("privateKey");
	await real.close();
});
