import fastify, { type FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import type { CoreBed } from "../../../../../../test/support/core.ts";
import { createFleetBed, type FleetBed, type FleetHostBed } from "../../../../../../test/support/fleet-bed.ts";
import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import { randomIds } from "../../../core/kernel/ids.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { problemOf } from "../http/http-errors.ts";
import { registerChangeRoutes } from "../http/routes/changes.ts";
import { registerConversationRoutes } from "../http/routes/conversations.ts";
import { registerFleetRoutes } from "../http/routes/fleet.ts";
import { registerFolderRoutes } from "../http/routes/folders.ts";
import { createMarkdownLoader } from "../share/load-markdown.ts";
import { createFleetCaller, type FleetCaller } from "./fleet-caller.ts";
import { relayToHosts } from "./relay.ts";
import { serveFleet } from "./serve-fleet.ts";

let bed: FleetBed;
afterEach(() => bed.close());

/** The routes of one host, as the server has them, without a login. */
function createRoutes(conversations: EveryConversations, caller: FleetCaller, host?: FleetHostBed): FastifyInstance {
	const app = fastify();
	app.setErrorHandler((error, _request, reply) => {
		const { status, body } = problemOf(error, { logger: silentLogger, redact: (text) => text });
		return reply.code(status).send(body);
	});
	const sourceOf = () => caller.current()?.from ?? "::1";
	const everywhere = host?.everywhere;
	if (everywhere !== undefined)
		relayToHosts(app, { everywhere, conversations, caller, ids: randomIds, whoOf: () => ({ origin: "web", from: sourceOf() }) });
	const none = () => Promise.reject(new Error("No work tree here."));
	registerConversationRoutes(app, {
		markdown: createMarkdownLoader(),
		attachments: {
			get() {
				throw new Error("none");
			},
		},
		...{
			conversations,
			sourceOf,
			workdir: () => "/somewhere",
			roots: { check: async (path) => path },
			searchHosts: everywhere?.search,
			listHosts: everywhere?.list,
		},
		worktrees: { add: none, bind: () => undefined, discard: none, of: () => undefined, remove: none },
	});
	registerChangeRoutes(app, { conversations, sourceOf });
	registerFleetRoutes(app, { everywhere, audit: { record: () => undefined }, sourceOf });
	const of = host === undefined ? "there" : "here";
	app.get("/api/conversations/:id/file", (_request, reply) =>
		reply
			.header("content-type", "text/html")
			.header("x-file-size", "7")
			.send(Buffer.from([0xff, 0, 1, 2, 3, 4, 5])),
	);
	app.post("/api/conversations/:id/shares", async () => ({}));
	app.post<{ Params: { name: string } }>("/api/conversations/:id/mcp/:name/login", async ({ params }) => ({ name: params.name }));
	app.get("/api/usage", async () => ({ rows: [{ key: "c1", inputTokens: 1, outputTokens: 2 }] }));
	app.get("/api/copilot/models", async () => ({ models: [], default: "m", of: "there", asker: sourceOf() }));
	const said: string[] = [];
	const folderTrust = {
		setup: async (path: string) => ({ path: `${of}:${path}`, trusted: false, found: [] }),
		list: () => said.map((path) => ({ path, trusted: true })),
		set: async (path: string, { source }: { source: string }) => void said.push(`${path} by ${source}`),
	};
	registerFolderRoutes(app, { folderTrust, sourceOf });
	return app;
}

async function createBed() {
	bed = await createFleetBed(2, {
		outside: (core: CoreBed, caller) => ({ http: serveFleet(createRoutes(core.conversations, caller), caller) }),
	});
	const [desk, laptop] = bed.hosts;
	if (desk === undefined || laptop === undefined) throw new Error("There are not two hosts.");
	const app = createRoutes(desk.everywhere.conversations, createFleetCaller(), desk);
	async function call(method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE", url: string, body?: object) {
		let isOver = false;
		const answered = app.inject({ method, url, ...(body === undefined ? {} : { payload: body }) }).finally(() => (isOver = true));
		for (let tick = 0; tick < 2_000 && !isOver; tick++) await bed.clock.advance(20);
		const { statusCode, headers, rawPayload } = await answered;
		const text = rawPayload.toString();
		return { status: statusCode, headers, raw: rawPayload, text, body: text.startsWith("{") ? JSON.parse(text) : undefined };
	}
	return { desk, laptop, call };
}

test("[FL220] every route of a conversation works for one of another host as for an own one: read, changed, exported, deleted, with who asked", async () => {
	const { laptop, call } = await createBed();
	const id = await laptop.core.begin();
	laptop.core.conversations.prompt({ conversationId: id, prompt: "hello", origin: "web" });
	await bed.clock.advance(6_000);
	const remote = laptop.remote(id);
	const of = `/api/conversations/${remote}`;
	expect((await call("GET", of)).body.conversation).toMatchObject({ id: remote, host: { name: "host 2" } });
	const { messages } = (await call("GET", `${of}/messages?limit=5`)).body;
	expect(messages).toMatchObject([{ content: "hello" }]);
	expect((await call("GET", `${of}/messages/${messages[0].id}`)).body).toMatchObject({ message: { content: "hello" } });
	expect((await call("GET", `${of}/messages/none/tools/none`)).body.error.code).toBe("message-not-found");
	const patched = await call("PATCH", of, { title: "Renamed" });
	expect([patched.status, patched.body.conversation.id, laptop.core.conversations.get(id).title]).toEqual([200, remote, "Renamed"]);
	expect((await call("PATCH", of, { permissions: "odd" })).body.error.code).toBe("bad-request");
	const exported = await call("GET", `${of}/export?format=markdown`);
	expect([exported.text.includes("hello"), exported.headers["content-disposition"]]).toEqual([true, expect.stringContaining("Renamed.md")]);
	const whole = (await call("GET", `${of}/export?format=json`)).body;
	expect([whole.conversation.id, JSON.stringify(whole.messages).includes("hello")]).toEqual([remote, true]);
	expect((await call("GET", `${of}/changes`)).body).toEqual({ changes: [] });
	expect((await call("POST", `${of}/changes/none/undo`, {})).body.error.code).toBe("change-not-found");
	expect((await call("POST", `${of}/messages`, { prompt: "again", clientMessageId: "m2" })).body).toMatchObject({ delivery: "queued" });
	expect(laptop.ran.filter(({ frame }) => frame.type === "fleet:patch").map(({ actor }) => actor)).toEqual([
		{ origin: "web", from: "::1" },
		{ origin: "web", from: "::1" },
	]);
	expect((await call("GET", "/api/search?q=hello")).body.results).toMatchObject([{ conversationId: remote }]);
	expect([(await call("DELETE", of)).status, laptop.core.conversations.find(id)]).toEqual([204, undefined]);
	expect((await call("PATCH", of, { title: "x" })).status).toBe(404);
});

test("[FL221] a conversation is begun on the host that is named, and lists of models and folders come from there", async () => {
	const { desk, laptop, call } = await createBed();
	const begun = await call("POST", "/api/conversations", { title: "There", host: laptop.id });
	expect([begun.status, begun.body.conversation.host]).toEqual([201, { id: laptop.id, name: "host 2" }]);
	expect(laptop.core.conversations.list().conversations.map(({ title }) => title)).toEqual(["There"]);
	expect((await call("POST", "/api/conversations", { title: "Here", host: desk.id })).body.conversation.host.name).toBe("host 1");
	expect(desk.core.conversations.list().conversations.map(({ title }) => title)).toEqual(["Here"]);
	expect((await call("GET", `/api/copilot/models?host=${laptop.id}`)).body).toMatchObject({ of: "there", asker: "host 1 ::1" });
	expect((await call("GET", "/api/copilot/models?host=abcdefgh234567ab")).body.error.code).toBe("host-removed");
});

test("[FS33] the set-up of a folder and words about trust are those of the host that is named", async () => {
	const { laptop, call } = await createBed();
	const { id: host } = laptop;
	expect((await call("GET", `/api/folders/setup?path=/shop&host=${host}`)).body.path).toBe("there:/shop");
	expect((await call("GET", "/api/folders/setup?path=/shop")).body.path).toBe("here:/shop");
	expect((await call("PUT", "/api/folders/trust", { path: "/shop", trusted: true, host })).status).toBe(204);
	expect((await call("GET", `/api/folders/trust?host=${host}`)).body.folders).toEqual([{ path: "/shop by host 1 ::1", trusted: true }]);
	expect((await call("GET", "/api/folders/trust")).body.folders).toEqual([]);
});

test("[FL381] servers of any name, sessions of agents and what one conversation used are those of the other host, under the ids of this one", async () => {
	const { laptop, call } = await createBed();
	const remote = laptop.remote(await laptop.core.begin());
	await bed.clock.advance(6_000);
	for (const name of ["my notes", "a/b", "筆記", "100%"])
		expect((await call("POST", `/api/conversations/${remote}/mcp/${encodeURIComponent(name)}/login`, {})).body).toEqual({ name });
	expect((await call("GET", `/api/usage?by=conversation&conversation=${remote}`)).body.rows).toMatchObject([{ key: `${laptop.id}_c1` }]);
	expect((await call("GET", `/api/usage?by=model&conversation=${remote}`)).body.rows).toMatchObject([{ key: "c1" }]);
	const asked = () => laptop.ran.filter(({ frame }) => frame.type === "fleet:directories").length;
	await call("GET", "/api/agents/copilot/sessions");
	expect(asked()).toBe(0);
	await call("GET", `/api/agents/copilot/sessions?host=${laptop.id}`);
	expect(asked()).toBe(1);
});

test("[FL222] bytes of another host come whole, and nothing that it says can run in a browser", async () => {
	const { laptop, call } = await createBed();
	const id = await laptop.core.begin();
	await bed.clock.advance(6_000);
	const { raw, headers } = await call("GET", `/api/conversations/${laptop.remote(id)}/file?path=x`);
	expect([...raw]).toEqual([0xff, 0, 1, 2, 3, 4, 5]);
	expect([headers["content-type"], headers["x-file-size"], headers["content-security-policy"]]).toEqual([
		"application/octet-stream",
		"7",
		expect.stringContaining("sandbox"),
	]);
});

test("[FL223] hosts and the outbox can be seen; of a host that is away the list and what was read stay, everything else is 503", async () => {
	const { laptop, call } = await createBed();
	const id = await laptop.core.begin();
	await bed.clock.advance(6_000);
	const of = `/api/conversations/${laptop.remote(id)}`;
	laptop.setOffline(true);
	await bed.clock.advance(20_000);
	expect((await call("GET", "/api/hosts")).body.hosts).toMatchObject([
		{ name: "host 1", self: true, state: "online" },
		{ id: laptop.id, self: false, state: "offline" },
	]);
	expect((await call("GET", of)).status).toBe(200);
	const refused = await call("PATCH", of, { title: "x" });
	expect([refused.status, refused.body.error]).toMatchObject([503, { code: "host-offline", params: { name: laptop.id } }]);
	expect((await call("POST", `${of}/messages`, { prompt: "later", clientMessageId: "m1" })).body).toEqual({
		...{ messageId: "m1", duplicate: false, delivery: "outbox" },
	});
	expect((await call("GET", "/api/outbox")).body.items).toMatchObject([
		{ id: "m1", prompt: "later", state: "waiting", mayHaveArrived: false },
	]);
	expect((await call("PATCH", "/api/outbox/m1", { prompt: "other" })).body.items).toMatchObject([{ prompt: "other" }]);
	expect((await call("POST", "/api/outbox/m1/confirm")).status).toBe(204);
	expect((await call("GET", "/api/search?q=zebra")).body).toEqual({ results: [], missing: [{ id: laptop.id, name: "host 2" }] });
	expect((await call("DELETE", "/api/outbox/m1")).body).toEqual({ mayHaveArrived: false });
	expect((await call("DELETE", "/api/outbox/m1")).status).toBe(404);
});

test("[FL226] what another host asks for is never handed on to a third, and an own id is never asked of another", async () => {
	const { desk, laptop } = await createBed();
	const caller = createFleetCaller();
	const app = createRoutes(desk.everywhere.conversations, caller, desk);
	const asked = () => laptop.ran.length;
	const before = asked();
	const handed = await caller.run(
		{ origin: "web", from: "third" },
		async () => await app.inject({ url: "/api/copilot/models", query: { host: laptop.id } }),
	);
	expect([handed.json().asker, asked()]).toEqual(["third", before]);
	const third = await caller.run({ origin: "web" }, async () => await app.inject({ url: `/api/conversations/${laptop.id}_c1/messages` }));
	expect([third.statusCode, asked()]).toEqual([404, before]);
	const own = await desk.core.begin();
	const here = await app.inject({ url: `/api/conversations/${own}`, query: { host: laptop.id } });
	expect([here.json().conversation.id, asked()]).toEqual([own, before]);
});

test("[FL266] conversations beyond the list of a host are found page by page, opened by their id, and known from then on", async () => {
	const { desk, laptop, call } = await createBed();
	const own = await desk.core.begin();
	const ids: string[] = [];
	for (let index = 0; index < 60; index++) {
		ids.push(laptop.remote(await laptop.core.begin()));
		await bed.clock.advance(10);
	}
	const [oldest = "", second = ""] = ids;
	const told: string[] = [];
	await bed.clock.advance(6_000);
	desk.everywhere.conversations.onChange((change) =>
		told.push(`${change.kind} ${change.kind === "deleted" ? change.id : change.conversation.id}`),
	);
	const found: string[] = [];
	let cursor: string | undefined;
	do {
		const { conversations, nextCursor } = (
			await call("GET", `/api/conversations?limit=15${cursor === undefined ? "" : `&cursor=${cursor}`}`)
		).body;
		found.push(...conversations.map(({ id }: { id: string }) => id));
		cursor = nextCursor;
	} while (cursor !== undefined && found.length < 200);
	expect(found).toEqual([...ids.slice(20).toReversed(), own, ...ids.slice(0, 20).toReversed()]);
	expect(told).toContain(`updated ${oldest}`);
	expect((await call("GET", `/api/conversations/${second}`)).body.conversation).toMatchObject({ id: second, host: { name: "host 2" } });
	// One that newer ones push out of the list is still there.
	await laptop.core.begin();
	await bed.clock.advance(6_000);
	expect(told.filter((each) => each.startsWith("deleted"))).toEqual([]);
	expect((await call("GET", `/api/conversations/${laptop.id}_none`)).status).toBe(404);
	expect((await call("GET", "/api/conversations?cursor=eyJob3N0IjoxfQ")).status).toBe(400);
});

test("[FL266] one beyond the list is known as soon as somebody looks at it, and search leads to it", async () => {
	const { desk, laptop, call } = await createBed();
	const first = await laptop.core.begin();
	laptop.core.conversations.prompt({ conversationId: first, prompt: "zebra", origin: "web" });
	await laptop.core.conversations.update(first, { title: "Old" });
	for (let index = 0; index < 45; index++) {
		await bed.clock.advance(10);
		await laptop.core.begin();
	}
	await bed.clock.advance(6_000);
	const { results } = (await call("GET", "/api/search?q=zebra")).body;
	const [{ conversationId: id }] = results;
	expect([id, desk.everywhere.conversations.find(id)]).toEqual([laptop.remote(first), undefined]);
	desk.everywhere.conversations.subscribe(id, {}, { event: () => undefined, reply: () => undefined });
	await bed.clock.advance(1_000);
	expect(desk.everywhere.conversations.find(id)).toMatchObject({ title: "Old", host: { name: "host 2" } });
});

test("[FL267] how the fleet stands is told, a link for guests is refused where it is not made, and a host that is not there is not removed", async () => {
	const { desk, laptop, call } = await createBed();
	const id = await laptop.core.begin();
	await bed.clock.advance(6_000);
	expect((await call("GET", "/api/fleet")).body).toEqual({ status: { kind: "connected", url: "" } });
	const share = await call("POST", `/api/conversations/${laptop.remote(id)}/shares`, {});
	expect([share.status, share.body.error]).toMatchObject([409, { code: "fleet-refused", params: { reason: "share" } }]);
	expect((await call("DELETE", "/api/hosts/abcdefgh234567ab")).body.error.code).toBe("host-removed");
	expect((await call("DELETE", `/api/hosts/${desk.id}`)).body.error.params.reason).toBe("self");
});
