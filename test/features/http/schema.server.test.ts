import { createECDH, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorAnswer } from "@rightseat/protocol/http/error";
import { type HttpRoute, isFile } from "@rightseat/protocol/http/route";
import { HTTP_ROUTES } from "@rightseat/protocol/http/routes";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod/mini";
import type { TelegramAccess } from "../../../packages/server/src/channels/web/http/routes/telegram.ts";
import type { PushSender } from "../../../packages/server/src/channels/web/push/web-push-sender.ts";
import { fakeEverywhere } from "../../support/fake-everywhere.ts";
import { listRoutes } from "../../support/list-routes.ts";
import { createLocalGit } from "../../support/local-git.ts";
import { createSoftwarePasskey } from "../../support/software-passkey.ts";
import { createWebBed, type WebBed } from "../../support/ws-harness.ts";
import { answerAboutChanges, answerAboutSetup, makeRepository } from "./schema-harness.ts";

const telegram: TelegramAccess = {
	status: () => ({ state: "ok" }),
	isPairing: () => true,
	pending: () => [{ userId: 8, name: "Bob", username: "bob" }],
	confirm: (code) => (code === "ABCD-1234" ? { name: "Bob" } : undefined),
	people: () => [{ userId: 7, name: "Ann", fixed: false }],
	revoke: () => true,
	linkCode: (id) => `link-${id}`,
};
const pushSender: PushSender = { publicKey: async () => "key", mayReach: async () => true, send: async () => "sent" };
let bed: WebBed;
let tools: string;
beforeAll(async () => {
	tools = mkdtempSync(join(tmpdir(), "rightseat-gh-"));
	writeFileSync(join(tools, "gh"), "#!/bin/sh\necho https://example.org/pull/7\n", { mode: 0o755 });
	bed = await createWebBed({ deps: { telegram, pushSender, git: createLocalGit(tools), everywhere: fakeEverywhere() } });
	answerAboutChanges(bed.tracker);
	bed.runtime.able = { ...bed.runtime.able, asides: true };
	bed.runtime.aside = async () => "Yes.";
	bed.runtime.handOver = async ({ sessionId }) => ({ sessionId, isCopy: false, command: "copilot" });
	const heaviest = [{ role: "tool", label: "a", tokens: 7 }];
	bed.runtime.context = async () => ({ tokens: 9, limit: 10, categories: [{ kind: "free", tokens: 1 }], compactionThreshold: 8, heaviest });
});
afterAll(async () => {
	await bed.close();
	rmSync(tools, { recursive: true, force: true });
});

test("[HT151] what the server answers and what the document describes are the same routes", async () => {
	const registered = listRoutes(bed.channel.http.printRoutes({ commonPrefix: false }))
		.filter(({ path }) => path.startsWith("/api/") || path.startsWith("/watch/") || path === "/healthz")
		.map(({ method, path }) => `${method} ${path}`);
	expect(registered.sort()).toEqual(HTTP_ROUTES.map(({ method, path }) => `${method} ${path}`).sort());
	const { paths } = Object(await (await bed.api("/api/openapi.json")).json());
	const described = Object.entries(Object(paths)).flatMap(([path, operations]) =>
		Object.keys(Object(operations)).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`),
	);
	expect(described.sort()).toEqual(registered);
});

/** Requests that work, in an order in which they do; `:id` is a conversation that was made before. */
const REQUESTS: [string, string, unknown?][] = [
	["GET", "/healthz"],
	["GET", "/api/login-methods"],
	["POST", "/api/login", "token"],
	["GET", "/api/conversations?archived=false&limit=10"],
	["POST", "/api/mcp-tokens", { name: "Editor" }],
	["GET", "/api/mcp-tokens"],
	["DELETE", "/api/mcp-tokens/:token"],
	["POST", "/api/conversations", { title: "One" }],
	["GET", "/api/conversations/:id"],
	["PATCH", "/api/conversations/:id", { pinned: true }],
	["POST", "/api/conversations/:id/messages", { prompt: "Hello" }],
	["GET", "/api/conversations/:id/messages?limit=500"],
	["GET", "/api/conversations/:id/messages/:message"],
	["GET", "/api/conversations/:id/messages/:message/tools/call-1"],
	["GET", "/api/conversations/:id/export?format=json"],
	["GET", "/api/conversations/:id/files?q=x"],
	["GET", "/api/conversations/:id/git?optional=1"],
	["GET", "/api/conversations/:id/tree"],
	["GET", "/api/conversations/:id/file?path=a.txt"],
	["GET", "/api/conversations/:id/review?scope=uncommitted"],
	["GET", "/api/conversations/:id/review/hunks?scope=uncommitted&path=a.txt"],
	["GET", "/api/conversations/:id/review/content?scope=uncommitted&path=a.txt"],
	["POST", "/api/conversations/:id/commit", { message: "first", paths: ["a.txt"] }],
	["POST", "/api/conversations", { worktree: true }],
	["GET", "/api/hosts"],
	["GET", "/api/fleet"],
	["DELETE", "/api/hosts/bcdefgh234567abc"],
	["GET", "/api/outbox"],
	["PATCH", "/api/outbox/m1", { prompt: "other" }],
	["POST", "/api/outbox/m1/confirm"],
	["DELETE", "/api/outbox/m1"],
	["GET", "/api/worktrees"],
	["POST", "/api/conversations/:tree/worktree/merge"],
	["POST", "/api/worktrees/remove", { path: ":path" }],
	["POST", "/api/conversations/:id/push"],
	["POST", "/api/conversations/:id/pull-request", { title: "first" }],
	["GET", "/api/conversations/:id/changes?limit=500"],
	["GET", "/api/conversations/:id/changes/g1"],
	["GET", "/api/conversations/:id/changes/g1/diff?path=a.ts"],
	["GET", "/api/conversations/:id/changes/conversation/hunks?path=a.ts&whitespace=ignore"],
	["GET", "/api/conversations/:id/changes/g1/content?path=a.png&side=before"],
	["POST", "/api/conversations/:id/changes/g1/undo", { preview: true }],
	["POST", "/api/conversations/:id/changes/g1/redo"],
	["POST", "/api/conversations/:id/changes/undo", { changeIds: ["g1", "g2"], paths: ["a.ts"] }],
	["POST", "/api/conversations/:id/fork", {}],
	["GET", "/api/conversations/:id/forks"],
	["POST", "/api/conversations/:id/handover"],
	["GET", "/api/conversations/:id/context"],
	["POST", "/api/conversations/:id/aside", { question: "Is it?", requestId: "a1" }],
	["POST", "/api/conversations/:id/shares", { hours: 1 }],
	["GET", "/api/shares"],
	["GET", "/watch/:watch"],
	["DELETE", "/api/shares/:share"],
	["PUT", "/api/budget", { tokensPerDay: 1_000_000 }],
	["GET", "/api/budget"],
	["PUT", "/api/budget", {}],
	["GET", "/api/usage?by=model"],
	["GET", "/api/inbox"],
	["POST", "/api/inbox/:item/snooze", { until: new Date(Date.now() + 3_600_000).toISOString() }],
	["DELETE", "/api/inbox/:item/snooze"],
	["POST", "/api/inbox/:item/seen"],
	["POST", "/api/conversations/:id/compact", { requestId: "k1" }],
	["POST", "/api/schedules", { prompt: "Look", cron: "0 0 1 1 *", conversationId: ":id" }],
	["GET", "/api/schedules"],
	["PATCH", "/api/schedules/:schedule", { paused: true }],
	["POST", "/api/schedules/:schedule/missed", { decision: "skip" }],
	["POST", "/api/schedules/:schedule/run", { runId: "one" }],
	["DELETE", "/api/schedules/:schedule"],
	["GET", "/api/files"],
	["GET", "/api/search?q=hello"],
	["POST", "/api/attachments?name=a.txt", "file"],
	["GET", "/api/attachments/:attachment"],
	["GET", "/api/directories"],
	["GET", "/api/folders/setup?path=:home"],
	[
		"PUT",
		"/api/mcp",
		{ mcpServers: { notes: { command: "npx", env: { KEY: "k-1" } }, far: { type: "http", url: "https://far.example" } } },
	],
	["GET", "/api/mcp"],
	["POST", "/api/mcp/test", { name: "notes" }],
	["PATCH", "/api/conversations/:id", { mcp: { notes: false } }],
	["GET", "/api/conversations/:id/setup"],
	["GET", "/api/conversations/:id/commands"],
	["POST", "/api/conversations/:id/mcp/go-on"],
	["POST", "/api/conversations/:id/mcp/far/login"],
	["PUT", "/api/conversations/:id/mcp/far/login", { url: "http://127.0.0.1:1/?code=c" }],
	["PUT", "/api/folders/trust", { path: ":home", trusted: true }],
	["GET", "/api/folders/trust"],
	["GET", "/api/permissions"],
	["DELETE", "/api/permissions/r1"],
	["GET", "/api/status"],
	["GET", "/api/schema"],
	["GET", "/api/openapi.json"],
	["GET", "/api/agents"],
	["GET", "/api/agents/copilot/sessions"],
	["GET", "/api/copilot/models"],
	["POST", "/api/runtime/wake"],
	["GET", "/api/settings"],
	["PATCH", "/api/settings", { notifyTurnEnd: false }],
	["GET", "/api/model-account"],
	["GET", "/api/model-account/login"],
	["PUT", "/api/model-account", { kind: "own", url: "http://127.0.0.1:9/v1" }],
	["DELETE", "/api/model-account"],
	["GET", "/api/audit?limit=500"],
	["GET", "/api/push/key"],
	["POST", "/api/push/subscriptions", { endpoint: "https://push.example.com/1", keys: browserKeys() }],
	["DELETE", "/api/push/subscriptions", { endpoint: "https://push.example.com/1" }],
	["GET", "/api/telegram"],
	["POST", "/api/telegram/pairings", { code: "ABCD-1234" }],
	["POST", "/api/telegram/links", { conversationId: ":id" }],
	["DELETE", "/api/telegram/people/7"],
	["GET", "/api/sessions"],
	["DELETE", "/api/sessions/:session"],
	["POST", "/api/login-code"],
	["PUT", "/api/reach", { way: "url", url: "https://pilot.example.org" }],
	["GET", "/api/reach"],
	["POST", "/api/reach/trial", { url: "https://pilot.example.org" }],
	["DELETE", "/api/reach"],
	["GET", "/api/lock"],
	["GET", "/api/passkeys"],
	["POST", "/api/passkeys/options"],
	["POST", "/api/passkeys", "new-passkey"],
	["POST", "/api/login/passkey/options"],
	["POST", "/api/login/passkey", "passkey"],
	["GET", "/api/passkeys"],
	["DELETE", "/api/passkeys/:passkey"],
	["POST", "/api/password", { password: "correct horse battery" }],
	["DELETE", "/api/password"],
	["POST", "/api/logout-everywhere"],
	["POST", "/api/logout"],
	["DELETE", "/api/conversations/:id"],
	["POST", "/api/lock"],
	["POST", "/api/token/rotate"],
];
test("[HT152] every route answers what its schema says, with no field beside it", async () => {
	bed.runtime.setup = answerAboutSetup();
	makeRepository(bed.home);
	const known: Record<string, string> = { home: bed.home };
	const called = new Set<string>();
	const passkey = createSoftwarePasskey(bed.url.replace("127.0.0.1", "localhost"));
	/** What an authenticator says to the challenge that came last. */
	const proof = (body: unknown) => {
		if (body === "new-passkey") return { name: "Phone", response: passkey.create(known.challenge ?? "") };
		return body === "passkey" ? { response: passkey.get(known.challenge ?? "") } : body;
	};
	for (const [method, address, body] of REQUESTS) {
		const path = address.replace(/:(\w+)/g, (_, name: string) => known[name] ?? name);
		const route = HTTP_ROUTES.find((candidate) => candidate.method === method && pattern(candidate.path).test(path.split("?")[0] ?? ""));
		if (route === undefined) throw new Error(`${method} ${path} is no route.`);
		called.add(`${method} ${route.path}`);
		const response = await ask(
			method,
			path,
			JSON.parse(JSON.stringify(proof(body) ?? null).replace(/:(id|home|path)/, (_, name: string) => known[name] ?? "")),
			known.seal,
		);
		const text = await response.text();
		const answer = route.answers.find(({ status }) => status === response.status);
		expect(answer, `${method} ${path}: ${response.status} ${text.slice(0, 300)}`).toBeDefined();
		expectBody(answer?.body, text, `${method} ${path}`);
		if (path === "/api/conversations" && method === "POST")
			known[known.id === undefined ? "id" : "tree"] = JSON.parse(text).conversation.id;
		if (path === "/api/mcp-tokens" && method === "POST") known.token = JSON.parse(text).token.id;
		if (path.endsWith("/shares") && method === "POST") {
			known.share = JSON.parse(text).share.id;
			known.watch = JSON.parse(text).path.split("/").at(-1);
		}
		if (path === "/api/inbox") known.item = JSON.parse(text).items[0].id;
		if (path === "/api/schedules" && method === "POST") {
			known.schedule = JSON.parse(text).schedule.id;
			bed.rows("UPDATE schedules SET missed_due = 1, missed_count = 1, missed_reason = 'server-off', missed_since = 1");
		}
		if (path === "/api/permissions") bed.rows("INSERT INTO permission_rules VALUES (1, 'r1', '/', '[]', 0, 1, 0)");
		if (path === "/api/worktrees") known.path = JSON.parse(text).worktrees[0].path;
		if (method === "POST" && (path.endsWith("/messages") || path.endsWith("/compact"))) await answerWithTool();
		if (path.endsWith("/messages?limit=500")) known.message = JSON.parse(text).messages.at(-1).id;
		if (path.startsWith("/api/attachments?")) known.attachment = JSON.parse(text).attachment.id;
		if (path.endsWith("/options")) {
			known.challenge = challengeIn(text);
			known.seal = (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
		}
		if (path === "/api/passkeys" && method === "GET") known.passkey = JSON.parse(text).passkeys[0]?.id ?? "";
		if (path === "/api/sessions") known.session = JSON.parse(text).sessions[0].id;
	}
	const all = HTTP_ROUTES.map(({ method, path }) => `${method} ${path}`);
	expect(all.filter((route) => !called.has(route))).toEqual([]);
});

test("[HT9] every refusal is the error that the schema says", async () => {
	const fresh = await createWebBed();
	for (const { method, path } of HTTP_ROUTES) {
		const response = await fetch(`${fresh.url}${path.replace(/:\w+/g, "none")}`, { method });
		if (response.ok) continue;
		const body: unknown = await response.json();
		expect(errorAnswer.parse(body), `${method} ${path}`).toEqual(body);
	}
	await fresh.close();
});

async function answerWithTool(): Promise<void> {
	const turn = await bed.runtime.nextTurn();
	turn.emit({ kind: "tool-start", toolCallId: "call-1", toolName: "Bash", arguments: { command: "ls" } });
	turn.emit({ kind: "tool-end", toolCallId: "call-1", success: true, result: "a.txt" });
	turn.end();
	await bed.idle();
}

const challengeIn = (text: string) => String(/"challenge":"([^"]+)"/.exec(text)?.[1]);

/** As a browser makes them for a subscription. */
function browserKeys() {
	const ecdh = createECDH("prime256v1");
	return { p256dh: ecdh.generateKeys("base64url"), auth: randomBytes(16).toString("base64url") };
}

/** Passkeys belong to a name; everything else does not care. */
function ask(method: string, path: string, body: unknown, cookie = ""): Promise<Response> {
	const url = `${bed.url.replace("127.0.0.1", "localhost")}${path}`;
	// The lock replaces it.
	const token = readFileSync(join(bed.home, "token"), "utf8").trim();
	const authorization = `Bearer ${token}`;
	if (body === "file") return fetch(url, { method, headers: { authorization, "content-type": "text/plain" }, body: "text" });
	if (body === null) return fetch(url, { method, headers: { authorization } });
	const json = JSON.stringify(body === "token" ? { token } : body);
	return fetch(url, { method, headers: { authorization, cookie, "content-type": "application/json" }, body: json });
}

function expectBody(schema: HttpRoute["body"], text: string, what: string) {
	if (schema === undefined) return expect(text, what).toBe("");
	if (isFile(schema)) return expect(text.length, what).toBeGreaterThan(0);
	const value: unknown = JSON.parse(text);
	const parsed = z.safeParse(schema, value);
	expect(parsed.success ? parsed.data : parsed.error.issues, what).toEqual(value);
}

const pattern = (path: string) => new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`);
