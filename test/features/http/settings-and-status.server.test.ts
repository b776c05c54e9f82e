import { mkdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { MAX_QUEUE_ITEMS } from "@rightseat/protocol/limits";
import { PROTOCOL_VERSION } from "@rightseat/protocol/version";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { TelegramAccess } from "../../../packages/server/src/channels/web/http/routes/telegram.ts";
import { createWebBed, type WebBed } from "../../support/ws-harness.ts";

let bed: WebBed;
let wakes: number;
const people = new Map([[7, { userId: 7, name: "Ann", fixed: false }]]);
const telegram: TelegramAccess = {
	status: () => ({ state: "polling" }),
	isPairing: () => true,
	pending: () => [{ userId: 8, name: "Bob" }],
	confirm: (code) => (code === "ABCD-1234" ? { name: "Bob" } : undefined),
	people: () => [...people.values()],
	revoke: (userId) => people.delete(userId),
	linkCode: (id) => `link-${id}`,
};
beforeEach(async () => {
	wakes = 0;
	bed = await createWebBed({ deps: { telegram } });
	bed.runtime.wake = () => {
		wakes += 1;
	};
});
afterEach(() => bed.close());

async function call(path: string, init?: Parameters<WebBed["api"]>[1]) {
	const response = await bed.api(path, init);
	const text = await response.text();
	return { status: response.status, body: text === "" ? undefined : (JSON.parse(text) as unknown) };
}

test("[HT1] /healthz needs no login and says nothing but how it is", async () => {
	const response = await fetch(`${bed.url}/healthz`);
	expect([response.status, await response.json()]).toEqual([200, { status: "ok" }]);
});

test("[HT235] /healthz is degraded when the storage or the runtime is", async () => {
	const sick = await createWebBed({ deps: { storageHealth: () => ({ state: "read-only" }) } });
	expect(await (await fetch(`${sick.url}/healthz`)).json()).toEqual({ status: "degraded" });
	await sick.close();
});

test("[HT9] every error is JSON with a code and words; unknown addresses are not found", async () => {
	for (const [method, path, status] of [
		["GET", "/api/nothing", 404],
		["POST", "/api/conversations/x/nothing", 404],
		["PUT", "/api/conversations", 404],
		["DELETE", "/nothing", 404],
		["GET", "/api/attachments/none", 404],
		["GET", "/api/conversations/%zz", 400],
		["GET", "/%c0%af", 400],
	] as const) {
		expect(await call(path, { method }), path).toMatchObject({
			status,
			body: { error: { code: expect.any(String), message: expect.any(String) } },
		});
	}
});

test("[HT180] a refusal carries the values of its sentence, without our secrets", async () => {
	const create = (cwd: string) => call("/api/conversations", { method: "POST", body: { cwd } });
	expect(await create("/no/such")).toMatchObject({
		status: 400,
		body: { error: { code: "cwd-missing", message: "There is no directory /no/such.", params: { reason: "missing", path: "/no/such" } } },
	});
	expect(await create(`/no/${bed.token}`)).toMatchObject({ body: { error: { params: { path: "/no/[redacted]" } } } });
	expect(await call("/api/conversations", { method: "POST", body: { title: 7 } })).toMatchObject({
		status: 400,
		body: { error: { code: "bad-request", params: { reason: "wrong-shape", field: "title", problem: expect.any(String) } } },
	});
});

test("[HT182] a part that is not well tells which sentence it says, and the values in it", async () => {
	const storage = { state: "read-only", message: "The disk is full.", code: "storage-read-only", params: { reason: "full" } };
	const sick = await createWebBed({ deps: { storageHealth: () => storage } });
	expect(await (await sick.api("/api/status")).json()).toMatchObject({ storage });
	await sick.close();
});

test("[HT22] a body that is not JSON, is too large or has another type is refused", async () => {
	const post = (body: string, type: string) =>
		fetch(`${bed.url}/api/conversations`, {
			method: "POST",
			body,
			headers: { authorization: `Bearer ${bed.token}`, "content-type": type },
		});
	expect((await post("{", "application/json")).status).toBe(400);
	expect((await post('{"title":"x"}', "text/plain")).status).toBe(415);
	expect((await post("title=x", "application/x-www-form-urlencoded")).status).toBe(415);
	expect((await post(JSON.stringify({ title: "x".repeat(300_000) }), "application/json")).status).toBe(413);
	expect(bed.conversations.list().conversations).toEqual([]);
});

test("[HT10] the status tells versions, health, provider, defaults and directories", async () => {
	expect((await call("/api/status")).body).toEqual({
		protocol: PROTOCOL_VERSION,
		version: "0.0.0-test",
		host: hostname(),
		runtime: { state: "ready", provider: "byok" },
		storage: expect.objectContaining({ state: "ok" }),
		telegram: { state: "polling" },
		provider: "byok",
		demo: false,
		permissions: "auto",
		workdir: bed.home,
		roots: [bed.home],
		askTimeoutMs: 120_000,
		memory: { limitBytes: 128 * 1_048_576, usedBytes: expect.any(Number), peakBytes: expect.any(Number), accounts: expect.any(Object) },
	});
});

test("[HT21] a resting runtime can be woken", async () => {
	expect((await call("/api/runtime/wake", { method: "POST" })).status).toBe(202);
	expect(wakes).toBe(1);
});

test("[HT15] settings are changed one by one, checked, kept, used and written to the audit log", async () => {
	expect((await call("/api/settings")).body).toMatchObject({ settings: { permissions: "auto", notifyTurnEnd: true } });
	const changed = await call("/api/settings", { method: "PATCH", body: { permissions: "ask" } });
	expect(changed.body).toMatchObject({ settings: { permissions: "ask", notifyTurnEnd: true } });
	for (const body of [{ permissions: "x" }, { notifyTurnEnd: "yes" }]) {
		expect((await call("/api/settings", { method: "PATCH", body })).status).toBe(400);
	}
	expect((await call("/api/conversations", { method: "POST" })).body).toMatchObject({ conversation: { permissions: "ask" } });
	expect((await call("/api/audit?limit=1")).body).toMatchObject({ entries: [{ kind: "settings", detail: '{"permissions":"ask"}' }] });
});

test("[PG787] another directory of new conversations is checked, used and told; empty is the configured one again", async () => {
	mkdirSync(join(bed.home, "shop"));
	const set = (workdir: string) => call("/api/settings", { method: "PATCH", body: { workdir } });
	expect(await set(join(bed.home, "shop", "..", "shop"))).toMatchObject({
		status: 200,
		body: { settings: { workdir: join(bed.home, "shop") } },
	});
	expect((await call("/api/conversations", { method: "POST" })).body).toMatchObject({ conversation: { cwd: join(bed.home, "shop") } });
	expect((await call("/api/directories")).body).toMatchObject({ path: join(bed.home, "shop") });
	expect((await call("/api/status")).body).toMatchObject({ workdir: join(bed.home, "shop") });
	for (const [workdir, status] of [
		["/", 403],
		[join(bed.home, "none"), 400],
		["shop", 400],
	] as const)
		expect((await set(workdir)).status, workdir).toBe(status);
	expect((await call("/api/settings")).body).toMatchObject({ settings: { workdir: join(bed.home, "shop") } });
	await set("");
	expect((await call("/api/conversations", { method: "POST" })).body).toMatchObject({ conversation: { cwd: bed.home } });
});

test("[HT20] the audit log is read in pages; bad pages are refused", async () => {
	for (let i = 0; i < 3; i += 1) bed.channel.audit.record({ kind: "command", source: "test", detail: String(i) });
	const first = await call("/api/audit?limit=2");
	expect(first.body).toMatchObject({ entries: [{ detail: "2" }, { detail: "1" }], nextCursor: expect.any(String) });
	const cursor = String(Reflect.get(Object(first.body), "nextCursor"));
	expect((await call(`/api/audit?before=${cursor}`)).body).toMatchObject({ entries: [{ detail: "0" }] });
	for (const query of ["limit=0", "limit=x", "before=x"]) expect((await call(`/api/audit?${query}`)).status).toBe(400);
});

test("[HT156] fields that a route does not know are ignored, in settings and conversations alike", async () => {
	expect(await call("/api/settings", { method: "PATCH", body: { notifyTurnEnd: false, colour: "red" } })).toMatchObject({
		status: 200,
		body: { settings: { notifyTurnEnd: false } },
	});
	const created = await call("/api/conversations", { method: "POST", body: { title: "One", titel: "Two" } });
	expect(created).toMatchObject({ status: 201, body: { conversation: { title: "One" } } });
});

test("[HT157] over 200 entries count as 200, here as everywhere", async () => {
	expect((await call("/api/audit?limit=201")).status).toBe(200);
	expect((await call("/api/audit?limit=99999")).status).toBe(200);
});

test("[HT158] a login that says nothing is told every way to say it", async () => {
	const { status, body } = await call("/api/login", { method: "POST", body: {} });
	expect(status).toBe(400);
	for (const way of ["token", "code", "password"]) expect(JSON.stringify(body)).toContain(way);
});

test("[HT153] every 429 says when to come back", async () => {
	const id = await bed.begin();
	const send = (prompt: string) => bed.api(`/api/conversations/${id}/messages`, { method: "POST", body: { prompt } });
	for (let i = 0; i <= MAX_QUEUE_ITEMS; i += 1) expect((await send(`${i}`)).status).toBe(202);
	const refused = await send("one more");
	expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([429, 10]);
});

test("[HT11] directories inside the roots can be browsed, with recent ones; nothing outside", async () => {
	mkdirSync(join(bed.home, "work/.hidden"), { recursive: true });
	mkdirSync(join(bed.home, "work/alpha"));
	writeFileSync(join(bed.home, "work/file.txt"), "");
	await bed.api("/api/conversations", { method: "POST", body: { cwd: join(bed.home, "work/alpha") } });
	expect((await call(`/api/directories?path=${bed.home}/work`)).body).toEqual({
		path: join(bed.home, "work"),
		parent: bed.home,
		directories: [
			{ name: "alpha", path: join(bed.home, "work/alpha") },
			{ name: ".hidden", path: join(bed.home, "work/.hidden") },
		],
		roots: [bed.home],
		recent: [join(bed.home, "work/alpha")],
	});
	const top = (await call("/api/directories")).body;
	expect(top).toMatchObject({ path: bed.home });
	expect(top).not.toHaveProperty("parent");
	for (const path of ["/", "/etc", `${bed.home}/..`, `${bed.home}/work/file.txt`, "relative"]) {
		expect((await call(`/api/directories?path=${encodeURIComponent(path)}`)).status, path).toBeGreaterThanOrEqual(400);
	}
});

test("[HT234] of a directory with very many others only the first 500 are named", async () => {
	for (let i = 0; i < 510; i += 1) mkdirSync(join(bed.home, `many/${i}`), { recursive: true });
	const { directories } = Object((await call(`/api/directories?path=${bed.home}/many`)).body);
	expect(directories).toHaveLength(500);
});

test("[PG209] the repository of a conversation's directory is told, and that there is none", async () => {
	const id = await bed.begin();
	expect(await call(`/api/conversations/${id}/git`)).toMatchObject({ status: 409, body: { error: { code: "no-repository" } } });
	expect((await bed.api(`/api/conversations/${id}/git?optional=1`)).status).toBe(204);
	mkdirSync(join(bed.home, ".git"));
	writeFileSync(join(bed.home, ".git/HEAD"), "ref: refs/heads/topic\n");
	const answer = await call(`/api/conversations/${id}/git`);
	expect(answer).toMatchObject({ status: 200, body: { root: bed.home, branch: "topic", head: null, detached: false } });
	expect((await call("/api/conversations/none/git")).status).toBe(404);
});

test("[HT12] files of a conversation's directory are found by name", async () => {
	mkdirSync(join(bed.home, "proj/src"), { recursive: true });
	writeFileSync(join(bed.home, "proj/src/main.ts"), "");
	const created = await call("/api/conversations", { method: "POST", body: { cwd: join(bed.home, "proj") } });
	const id = String(Reflect.get(Object(Reflect.get(Object(created.body), "conversation")), "id"));
	expect((await call(`/api/conversations/${id}/files?q=main`)).body).toEqual({ files: ["src/main.ts"] });
	expect((await call("/api/conversations/none/files?q=main")).status).toBe(404);
	expect((await call("/api/files?q=projmain")).body).toEqual({ files: ["proj/src/main.ts"] });
});

test("[HT18] pairing with Telegram: who asks, letting in, taking away; off says so", async () => {
	expect((await call("/api/telegram")).body).toEqual({
		enabled: true,
		status: { state: "polling" },
		pairing: true,
		pending: [{ userId: 8, name: "Bob" }],
		people: [{ userId: 7, name: "Ann", fixed: false }],
	});
	expect((await call("/api/telegram/pairings", { method: "POST", body: { code: "ABCD-1234" } })).body).toEqual({ person: { name: "Bob" } });
	expect((await call("/api/telegram/pairings", { method: "POST", body: { code: "nope" } })).status).toBe(404);
	expect((await call("/api/telegram/people/7", { method: "DELETE" })).status).toBe(204);
	expect((await call("/api/audit?limit=1")).body).toMatchObject({ entries: [{ kind: "telegram", detail: "removed Ann (7)" }] });
	expect((await call("/api/telegram/people/7", { method: "DELETE" })).status).toBe(404);
	expect((await call("/api/telegram/people/x", { method: "DELETE" })).status).toBe(400);
	const id = await bed.begin();
	expect(await call("/api/telegram/links", { method: "POST", body: { conversationId: id } })).toEqual({
		status: 201,
		body: { code: `link-${id}` },
	});
	expect((await call("/api/telegram/links", { method: "POST", body: { conversationId: "none" } })).status).toBe(404);
	const off = await createWebBed();
	expect(await (await off.api("/api/telegram")).json()).toMatchObject({ enabled: false });
	expect((await off.api("/api/telegram/pairings", { method: "POST", body: { code: "x" } })).status).toBe(404);
	await off.close();
});
