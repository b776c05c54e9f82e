import { afterEach, beforeEach, expect, test } from "vitest";
import { conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import { createWebBed, type WebBed } from "../../support/ws-harness.ts";

let bed: WebBed;
beforeEach(async () => {
	bed = await createWebBed();
});
afterEach(() => bed.close());

/** Status and body of a call. */
async function call(path: string, init?: Parameters<WebBed["api"]>[1]) {
	const response = await bed.api(path, init);
	const text = await response.text();
	const body: Record<string, unknown> = text.startsWith("{") ? JSON.parse(text) : { text };
	return { status: response.status, body, headers: response.headers };
}
const create = async (body: object = {}) => {
	const { conversation } = (await call("/api/conversations", { method: "POST", body })).body;
	return Object(conversation);
};

test("[HT2] the models come from the runtime with the default", async () => {
	expect((await call("/api/copilot/models")).body).toEqual({
		models: [
			{ id: "model-a", name: "Model A" },
			{ id: "model-b", name: "Model B" },
		],
		default: "model-a",
		state: "listed",
	});
});

test("[HT4] a new conversation is answered with 201 and all its fields", async () => {
	const { status, body } = await call("/api/conversations", { method: "POST", body: { title: "First", model: "model-b", cwd: bed.home } });
	expect(status).toBe(201);
	expect(body).toEqual({
		conversation: {
			id: expect.stringMatching(/^[\w-]+$/),
			title: "First",
			model: "model-b",
			cwd: bed.home,
			agent: "copilot",
			mode: "agent",
			effort: "",
			sdkSessionId: null,
			pinned: false,
			archived: false,
			permissions: "auto",
			budget: null,
			status: "idle",
			asking: false,
			epoch: expect.stringMatching(/^[\w-]+$/),
			headSeq: 0,
			createdAt: expect.stringMatching(/Z$/),
			updatedAt: expect.stringMatching(/Z$/),
		},
	});
	expect((await call("/api/conversations", { method: "POST" })).status).toBe(201);
	expect(await create({ permissions: "ask" })).toMatchObject({ permissions: "ask" });
});

test.each([
	[{ model: "no-such-model" }, "unknown-model"],
	[{ cwd: "/no/such/directory" }, "cwd-missing"],
	[{ cwd: "relative" }, "cwd-missing"],
	[{ title: "" }, "bad-request"],
	[{ title: 7 }, "bad-request"],
	[{ title: "x".repeat(201) }, "bad-request"],
	[{ permissions: "all" }, "bad-request"],
])("[HT229] %j is refused with 400 and %s, and nothing is created", async (body, code) => {
	const answer = await call("/api/conversations", { method: "POST", body });
	expect(answer).toMatchObject({ status: 400, body: { error: { code, message: expect.stringMatching(/\w/) } } });
	expect(bed.conversations.list().conversations).toEqual([]);
});

test.each([
	["/api/conversations", "POST", { title: 7 }, '"title": Give text, not a number.'],
	["/api/conversations", "POST", { permissions: "all" }, '"permissions": Give auto or ask.'],
	["/api/conversations", "POST", { title: "x".repeat(201) }, '"title": Give at most 200 characters.'],
	["/api/conversations", "POST", [], "Give an object, not a list."],
	["/api/search", "GET", undefined, '"q": This is missing: give text.'],
	[
		"/api/mcp",
		"PUT",
		{ mcpServers: { "a b": { command: "ls" } } },
		'"mcpServers.a b": A name has 1 to 60 letters, digits, dots, dashes and underscores.',
	],
	[
		"/api/mcp",
		"PUT",
		{ mcpServers: { a: { type: "http", url: "file:///x" } } },
		'"mcpServers.a.url": Give the whole address, beginning with http',
	],
])("[HT159] %s %s %j is told in words", async (path, method, body, sentence) => {
	const answer = await call(path, body === undefined ? { method } : { method, body });
	expect(answer.status).toBe(400);
	expect(Object(answer.body.error).message).toContain(sentence);
	expect(Object(answer.body.error).params).toMatchObject({ reason: "wrong-shape", problem: expect.stringMatching(/\.$/) });
});

test("[HT229] a directory outside the allowed ones is refused with 403", async () => {
	const answer = await call("/api/conversations", { method: "POST", body: { cwd: "/" } });
	expect(answer).toMatchObject({ status: 403, body: { error: { code: "forbidden" } } });
});

test("[HT233] a cursor that we did not give out is refused", async () => {
	expect((await call("/api/conversations?cursor=nonsense")).status).toBe(400);
});

test("[HT3] conversations come newest activity first, pinned first, in pages", async () => {
	const ids: string[] = [];
	for (const title of ["a", "b", "c"]) ids.push((await create({ title })).id);
	await call(`/api/conversations/${ids[0]}`, { method: "PATCH", body: { pinned: true } });
	const first = (await call("/api/conversations?limit=2")).body;
	expect(first).toMatchObject({ conversations: [{ title: "a" }, { title: "c" }], nextCursor: expect.any(String) });
	const second = (await call(`/api/conversations?limit=2&cursor=${encodeURIComponent(String(first.nextCursor))}`)).body;
	expect(second).toMatchObject({ conversations: [{ title: "b" }] });
	expect(second).not.toHaveProperty("nextCursor");
});

test("[HT232] archived conversations are a list of their own", async () => {
	const { id } = await create({ title: "old" });
	await create({ title: "new" });
	await call(`/api/conversations/${id}`, { method: "PATCH", body: { archived: true } });
	expect((await call("/api/conversations?archived=true")).body).toMatchObject({ conversations: [{ title: "old" }] });
	expect((await call("/api/conversations?archived=false")).body).toMatchObject({ conversations: [{ title: "new" }] });
});

test("[HT5] a conversation can be read, changed and deleted; after that it is not found", async () => {
	const { id } = await create({ title: "x" });
	const path = `/api/conversations/${id}`;
	expect((await call(path)).body).toMatchObject({ conversation: { id, title: "x" } });
	const patch = { title: "y", pinned: true, archived: true, model: "model-b", permissions: "ask" };
	expect((await call(path, { method: "PATCH", body: patch })).body).toMatchObject({ conversation: { id, ...patch } });
	const gone = await call(path, { method: "DELETE" });
	expect(gone).toMatchObject({ status: 204, body: { text: "" } });
	for (const method of ["GET", "PATCH", "DELETE"]) {
		const answer = await call(path, { method, ...(method === "PATCH" ? { body: {} } : {}) });
		expect(answer).toMatchObject({ status: 404, body: { error: { code: "conversation-not-found" } } });
	}
	expect((await call("/api/conversations/x/messages")).status).toBe(404);
});

test("[HT230] a bad change is refused and changes nothing", async () => {
	const { id } = await create({ title: "x" });
	for (const body of [{ pinned: "yes" }, { model: "no-such" }, { title: "" }, { permissions: "none" }, { cwd: "/no/such" }]) {
		expect((await call(`/api/conversations/${id}`, { method: "PATCH", body })).status).toBe(400);
	}
	expect(bed.conversations.get(conversationId(id))).toMatchObject({ title: "x", pinned: false, model: "model-a", permissions: "auto" });
});

test("[HT6] messages come in pages, the newest page first, oldest first within it", async () => {
	const id = conversationId((await create()).id);
	for (let i = 0; i < 5; i += 1) {
		bed.conversations.prompt({ conversationId: id, prompt: `p${i}`, origin: "api" });
		const turn = await bed.runtime.nextTurn();
		turn.text(`a${i}`);
		turn.end();
		await new Promise<void>((resolve) => {
			const stop = bed.conversations.onChange(() => {
				if (bed.conversations.active().length > 0) return;
				stop();
				resolve();
			});
		});
	}
	const first = (await call(`/api/conversations/${id}/messages?limit=3`)).body;
	expect(first).toMatchObject({ messages: [{ content: "a3" }, { content: "p4" }, { content: "a4", role: "assistant" }] });
	const second = (await call(`/api/conversations/${id}/messages?limit=20&before=${first.nextCursor}`)).body;
	expect(second).toMatchObject({
		messages: [{ content: "p0", role: "user", metadata: { origin: "api" } }, {}, {}, {}, {}, {}, { content: "p3" }],
	});
	expect(second).not.toHaveProperty("nextCursor");
	expect(first).toMatchObject({ messages: [{ metadata: { outcome: "completed", tools: [] } }, {}, {}] });
});

test.each(["limit=0", "limit=000", "limit=-1", "limit=x", "limit=1.5", "limit=", "before=../x", "before=", "limit=1&limit=2"])(
	"[HT231] messages?%s is refused with 400",
	async (query) => {
		const { id } = await create();
		const answer = await call(`/api/conversations/${id}/messages?${query}`);
		expect(answer).toMatchObject({ status: 400, body: { error: { code: "bad-request" } } });
	},
);

test("[HT155] a page before a message that is not there is 404, not empty", async () => {
	const [{ id }, other] = [await create(), conversationId((await create()).id)];
	const { messageId } = bed.conversations.prompt({ conversationId: other, prompt: "x", origin: "api" });
	for (const before of ["nothing", messageId]) {
		const answer = await call(`/api/conversations/${id}/messages?before=${before}`);
		expect(answer).toMatchObject({ status: 404, body: { error: { code: "message-not-found" } } });
	}
});

test("[HT154] a prompt can be sent over HTTP: stored, started or queued, and the same id is the same message", async () => {
	const { id } = await create();
	const send = (body: object) => call(`/api/conversations/${id}/messages`, { method: "POST", body });
	const first = await send({ prompt: "Hello", clientMessageId: "m1" });
	expect(first).toMatchObject({ status: 202, body: { messageId: expect.any(String), duplicate: false, delivery: "started" } });
	expect((await bed.runtime.nextTurn()).input.prompt).toContain("Hello");
	expect((await send({ prompt: "Hello", clientMessageId: "m1" })).body).toEqual({ ...first.body, duplicate: true });
	expect((await send({ prompt: "Next" })).body).toMatchObject({ delivery: "queued" });
	expect((await send({ prompt: "漢".repeat(131_072) })).status).toBe(202);
	expect(await send({ prompt: "漢".repeat(131_073) })).toMatchObject({ status: 413, body: { error: { code: "too-large" } } });
	expect(await send({ prompt: "Other", clientMessageId: "m1" })).toMatchObject({ status: 409, body: { error: { code: "id-reused" } } });
	expect((await send({ prompt: " " })).status).toBe(400);
	expect((await call("/api/conversations/none/messages", { method: "POST", body: { prompt: "x" } })).status).toBe(404);
	expect((await call(`/api/conversations/${id}/messages`)).body).toMatchObject({
		messages: [{ content: "Hello", metadata: { origin: "api" } }, { content: "Next" }, {}],
	});
});

test("[HT157] a limit over 200 counts as 200", async () => {
	const { id } = await create();
	for (const limit of ["201", "1000", "99999999999999999999"]) {
		expect(await call(`/api/conversations/${id}/messages?limit=${limit}`), limit).toMatchObject({ status: 200, body: { messages: [] } });
	}
	for (let i = 0; i < 201; i += 1) await create();
	const { body } = await call("/api/conversations?limit=500");
	expect(body).toMatchObject({ conversations: { length: 200 }, nextCursor: expect.any(String) });
});

test("[HT7] search finds words, beginnings of words and Chinese in all conversations", async () => {
	const id = conversationId((await create({ title: "Tides" })).id);
	bed.conversations.prompt({ conversationId: id, prompt: "the moon 海水 pulls", origin: "web" });
	for (const q of ["moon", "海水", "mo"]) {
		expect((await call(`/api/search?q=${encodeURIComponent(q)}`)).body, q).toMatchObject({
			results: [{ conversationId: id, messageId: expect.any(String), title: expect.any(String), snippet: expect.stringContaining("moon") }],
		});
	}
	const other = conversationId((await create({ title: "Phases" })).id);
	bed.conversations.prompt({ conversationId: other, prompt: "a new moon", origin: "web" });
	const { results } = Object((await call("/api/search?q=moon")).body);
	expect(new Set(results.map((result: { conversationId: string }) => result.conversationId))).toEqual(new Set([id, other]));
});

test("[HT260] a search for nothing is refused with 400", async () => {
	for (const path of ["/api/search", "/api/search?q=", "/api/search?q=%20"]) expect((await call(path)).status).toBe(400);
});

test("[HT8] an export is a download in the chosen format, another format is refused", async () => {
	const id = conversationId((await create({ title: "Tides “潮” ../x" })).id);
	bed.conversations.prompt({ conversationId: id, prompt: "hello", origin: "web" });
	const markdown = await call(`/api/conversations/${id}/export?format=markdown`);
	expect(markdown.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
	expect(markdown.headers.get("content-disposition")).toBe(
		`attachment; filename="conversation.md"; filename*=UTF-8''${encodeURIComponent("Tides 潮 x")}.md`,
	);
	expect(markdown.body.text).toContain("hello");
	const json = await call(`/api/conversations/${id}/export?format=json`);
	expect(JSON.stringify(json.body)).toContain("hello");
	expect((await call(`/api/conversations/${id}/export?format=exe`)).status).toBe(400);
	expect((await call("/api/conversations/none/export")).status).toBe(404);
});
