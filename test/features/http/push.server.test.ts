import { createECDH, randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MAX_PUSH_SUBSCRIPTIONS } from "../../../packages/server/src/channels/web/push/push-subscriptions.ts";
import type { ConversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import { createWebBed, type WebBed } from "../../support/ws-harness.ts";

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
				mayReach: async (at) => !at.includes("nip.io"),
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
/** As browsers make them. */
const keys = { p256dh: createECDH("prime256v1").generateKeys("base64url"), auth: randomBytes(16).toString("base64url") };
const subscriptionAt = (at: string) => ({ endpoint: at, keys });
const subscribe = (at = endpoint, headers: Record<string, string> = {}) =>
	bed.api("/api/push/subscriptions", { method: "POST", body: subscriptionAt(at), headers });
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
	const socket = await runTurn();
	await socket.next("inbox:changed");
	const where = { tag: id, conversationId: id, path: `/c/${id}`, item: expect.stringMatching(/^finished-/), count: 1 };
	expect(pushes).toEqual([{ endpoint, payload: { title: "Tides", body: "The answer is ready.", code: "turn-completed", ...where } }]);
	for (const { id: item } of bed.conversations.inbox.list()) bed.conversations.inbox.seen(item);
	await socket.next("inbox:changed", ({ count }) => count === 0);
	expect(pushes.slice(1)).toMatchObject([{ payload: { code: "settled", ...where, count: 0 } }]);
});

test("[SE111] logging out everywhere ends every subscription but those of the session that asked, also those without a session", async () => {
	const logIn = async () => {
		const headers = { "content-type": "application/json" };
		const response = await fetch(`${bed.url}/api/login`, { method: "POST", headers, body: JSON.stringify({ token: bed.token }) });
		return String(response.headers.get("set-cookie")).split(";")[0] ?? "";
	};
	const withCookie = (cookie: string, path: string, body?: unknown) =>
		fetch(`${bed.url}${path}`, {
			method: "POST",
			headers: { cookie, origin: bed.url, ...(body === undefined ? {} : { "content-type": "application/json" }) },
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
	const [mine, other] = [await logIn(), await logIn()];
	await subscribe("https://push.example.org/token");
	await withCookie(mine, "/api/push/subscriptions", subscriptionAt("https://push.example.org/mine"));
	await withCookie(other, "/api/push/subscriptions", subscriptionAt("https://push.example.org/other"));
	expect(bed.rows("SELECT endpoint FROM push_subscriptions")).toHaveLength(3);
	await withCookie(mine, "/api/logout-everywhere");
	expect(bed.rows("SELECT endpoint FROM push_subscriptions")).toEqual([{ endpoint: "https://push.example.org/mine" }]);
});

test("[HT225] nothing is told about a conversation that a visible page looks at", async () => {
	await subscribe();
	const page = await bed.connect();
	page.send({ type: "presence:set", data: { visible: true, conversationId: id } });
	page.send({ type: "ping" });
	await page.next("pong");
	await runTurn();
	page.send({ type: "presence:set", data: { visible: true, conversationId: id } });
	page.send({ type: "presence:set", data: { visible: false } });
	page.send({ type: "ping" });
	await page.next("pong");
	expect(pushes).toEqual([]);
	const socket = await runTurn("error");
	await socket.next("inbox:changed", ({ count }) => count === 1);
	expect(pushes.map(({ payload }) => [payload.code, payload.body])).toEqual([["turn-failed", "The answer failed."]]);
});

test("[WS45] a page that has gone looks at nothing", async () => {
	await subscribe();
	const page = await bed.connect();
	page.send({ type: "presence:set", data: { visible: true, conversationId: id } });
	page.send({ type: "ping" });
	await page.next("pong");
	page.ws.close();
	await page.closed;
	const socket = await runTurn();
	await socket.next("inbox:changed", ({ count }) => count === 1);
	expect(pushes).toHaveLength(1);
});

test("[HT183] a question is told with its words, once", async () => {
	await subscribe();
	const socket = await bed.connect();
	socket.send({ type: "copilot:send", data: { conversationId: id, prompt: "go" } });
	const turn = await bed.runtime.nextTurn();
	const asked = turn.options.ask({ question: "Which\ncoast?", allowFreeform: true }, turn.signal);
	const request = await socket.next("copilot:user_input_request");
	await socket.next("inbox:changed", ({ count }) => count === 1);
	expect(pushes.map(({ payload }) => [payload.code, payload.params, payload.body])).toEqual([
		["question", { question: "Which coast?" }, "Which coast?"],
	]);
	socket.send({
		type: "copilot:user_input_response",
		data: { conversationId: id, requestId: String(request.data.requestId), answer: "east" },
	});
	await asked;
	await socket.next("inbox:changed", ({ count }) => count === 0);
	expect(pushes.slice(1).map(({ payload }) => payload.code)).toEqual(["settled"]);
});

test("[HT226] what people switched off is not told", async () => {
	await subscribe();
	await bed.api("/api/settings", { method: "PATCH", body: { notifyTurnEnd: false } });
	const socket = await runTurn();
	await socket.next("inbox:changed", ({ count }) => count === 1);
	expect(pushes).toEqual([]);
});

test("[HT227] a browser that has gone is forgotten, so is one that unsubscribed or logged out", async () => {
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

test("[HT228] subscriptions are bounded", async () => {
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
	"https://127.0.0.1.nip.io/x",
	"https://push.example.org:22/x",
	"file:///etc/passwd",
	"not a url",
])("[SE30] a push service at %s is refused", async (at) => {
	expect((await subscribe(at)).status).toBe(400);
	expect(bed.rows("SELECT id FROM push_subscriptions")).toEqual([]);
});

test.each([
	["a short point", { ...keys, p256dh: "BPub_key-1" }],
	["a point beside the curve", { ...keys, p256dh: Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString("base64url") }],
	["a short secret", { ...keys, auth: "auth-1" }],
	["a long secret", { ...keys, auth: "A".repeat(80) }],
])("[SE236] keys that no push could use are refused: %s", async (_, wrong) => {
	const answer = await bed.api("/api/push/subscriptions", { method: "POST", body: { endpoint, keys: wrong } });
	expect(answer.status).toBe(400);
});

test("[SE237] the server's own push keys are made once and readable by its owner only", async () => {
	const real = await createWebBed();
	const first = await (await real.api("/api/push/key")).json();
	expect(first).toEqual({ publicKey: expect.stringMatching(/^[\w-]{80,}$/) });
	expect(await (await real.api("/api/push/key")).json()).toEqual(first);
	const file = join(real.home, "push-keys.json");
	expect(statSync(file).mode & 0o777).toBe(0o600);
	expect(readFileSync(file, "utf8")).toContain("privateKey");
	await real.close();
});
