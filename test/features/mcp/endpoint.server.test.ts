import { afterEach, beforeEach, expect, test } from "vitest";
import { MAX_WAITING } from "../../../packages/server/src/channels/mcp/tools/await-turn.ts";
import { MAX_MCP_BODY_BYTES } from "../../../packages/server/src/channels/web/http/routes/mcp.ts";
import { lines, rawRequest } from "../../support/raw-http.ts";
import { createMcpBed } from "./mcp-harness.ts";

let made: Awaited<ReturnType<typeof createMcpBed>>;
beforeEach(async () => {
	made = await createMcpBed();
});
afterEach(() => made.bed.close());

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

test("[MC1] /mcp takes its own token and no other credential, and that token opens nothing else", async () => {
	const { bed } = made;
	const mine = await made.client();
	expect((await mine.request(ping)).message).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
	for (const authorization of [`Bearer ${bed.token}`, "Bearer wrong", "Basic eDp5"]) {
		expect((await mine.request(ping, { authorization })).status).toBe(401);
	}
	const login = await fetch(`${bed.url}/api/login`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({ token: bed.token }),
	});
	const cookie = String(login.headers.get("set-cookie")).split(";")[0] ?? "";
	const withCookie = await fetch(`${bed.url}/mcp`, {
		method: "POST",
		headers: { cookie, origin: bed.url, "content-type": "application/json" },
		body: JSON.stringify(ping),
	});
	expect(withCookie.status).toBe(401);
	for (const path of ["/api/conversations", "/api/settings", "/api/mcp-tokens", "/api/audit"]) {
		expect((await bed.api(path, { headers: { authorization: `Bearer ${mine.secret}` } })).status).toBe(401);
	}
	await expect(bed.connect({ authorization: `Bearer ${mine.secret}` })).rejects.toThrow();
});

test("[MC2] a secret is told once, only its hash is stored, and a revoked token is refused and stops what waits for it", async () => {
	const { bed } = made;
	const mine = await made.client({ name: "Editor" });
	const listed = await (await bed.api("/api/mcp-tokens")).json();
	expect(listed).toEqual({
		tokens: [{ id: mine.tokenId, name: "Editor", permissions: "ask", reach: "own", createdAt: expect.any(String), lastUsedAt: null }],
	});
	expect(JSON.stringify(bed.rows("SELECT * FROM mcp_tokens"))).not.toContain(mine.secret);
	const { conversation } = await mine.call("start_conversation", { prompt: "Hello" });
	await bed.runtime.nextTurn();
	const { text } = await mine.beginWait(conversation.id);
	expect(Object(await (await bed.api("/api/mcp-tokens")).json()).tokens[0].lastUsedAt).toEqual(expect.any(String));
	expect((await bed.api(`/api/mcp-tokens/${mine.tokenId}`, { method: "DELETE" })).status).toBe(204);
	expect(JSON.parse(await text)).toMatchObject({ state: "stopped" });
	expect((await mine.rpc("ping")).status).toBe(401);
	expect((await bed.api(`/api/mcp-tokens/${mine.tokenId}`, { method: "DELETE" })).status).toBe(404);
});

test("[MC3] without a right token the body is not read, and wrong ones are written down and limited", async () => {
	const { bed } = made;
	const head = ["POST /mcp HTTP/1.1", `Host: 127.0.0.1:${bed.port}`, "Content-Type: application/json", "Content-Length: 900000"];
	const stranger = await rawRequest(bed.port, lines(...head, "Authorization: Bearer wrong", "Connection: close"));
	expect([stranger.status, JSON.parse(stranger.body).error.code]).toEqual([401, "unauthorized"]);
	expect(stranger.head).toContain("www-authenticate: Bearer");
	const { entries } = Object(await (await bed.api("/api/audit?limit=5")).json());
	expect(entries[0]).toMatchObject({ kind: "login-failed", detail: "bearer" });
	const mine = await made.client();
	for (let count = 0; count < 60; count += 1) await mine.request(ping, { authorization: "Bearer wrong" });
	const limited = await mine.request(ping, { authorization: "Bearer wrong" });
	expect([limited.status, Number(limited.headers.get("retry-after")) > 0]).toEqual([429, true]);
	expect((await mine.request(ping)).status).toBe(200);
});

test("[MC4] another page, another name and another site are refused whatever the token", async () => {
	const { bed } = made;
	const mine = await made.client();
	expect((await mine.request(ping, { origin: "https://evil.example" })).status).toBe(403);
	expect((await mine.request(ping, { origin: bed.url })).status).toBe(200);
	const text = JSON.stringify(ping);
	const rebound = await rawRequest(
		bed.port,
		`${lines("POST /mcp HTTP/1.1", `Host: evil.example:${bed.port}`, `Authorization: Bearer ${mine.secret}`, "Content-Type: application/json", `Content-Length: ${text.length}`, "Connection: close")}${text}`,
	);
	expect(rebound.status).toBe(403);
	expect((await mine.request(ping, { "sec-fetch-site": "cross-site" })).status).toBe(403);
});

test("[MC6] closing every way in names the tokens of programs and revokes them", async () => {
	const { bed } = made;
	const mine = await made.client({ name: "Robot" });
	const short = await made.client({ temporary: true });
	const open = Object(await (await bed.api("/api/lock")).json());
	expect(open.open.mcp).toEqual(["Robot"]);
	await bed.api("/api/lock", { method: "POST" });
	expect([(await mine.request(ping)).status, (await short.request(ping)).status]).toEqual([401, 401]);
	expect(bed.rows("SELECT * FROM mcp_tokens")).toEqual([]);
});

test("[MC10] a client initializes, lists the tools with their schemas, and is told what it got wrong", async () => {
	const mine = await made.client();
	const hello = await mine.rpc("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } });
	expect(hello.message.result).toMatchObject({
		protocolVersion: "2025-06-18",
		capabilities: { tools: {} },
		serverInfo: { name: "rightseat" },
	});
	expect(hello.headers.get("mcp-session-id")).toMatch(/^[0-9a-f]{32}$/);
	expect((await mine.request({ jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(202);
	const { tools } = Object((await mine.rpc("tools/list")).message.result);
	expect(tools.map(({ name }: { name: string }) => name)).toEqual([
		...["list_conversations", "start_conversation", "send_prompt", "await_turn", "read_conversation", "stop_turn"],
	]);
	for (const { inputSchema, description } of tools) {
		expect(inputSchema).toMatchObject({ type: "object", properties: expect.any(Object) });
		expect(description.length).toBeGreaterThan(40);
	}
	expect((await mine.rpc("resources/list")).message.error).toMatchObject({ code: -32_601 });
	expect((await mine.rpc("tools/call", { name: "Bash", arguments: {} })).message.error).toMatchObject({ code: -32_602 });
	expect(await mine.refused("send_prompt", { conversationId: "x" })).toMatch(/^bad-request: "prompt": /);
	expect(await mine.refused("list_conversations", { limit: 51 })).toMatch(/^bad-request: "limit": /);
});

test("[MC11] a batch, half a message, no JSON, too much of it, another type and an unknown version are refused", async () => {
	const mine = await made.client();
	expect((await mine.request([ping, ping])).status).toBe(400);
	expect((await mine.request({ hello: 1 })).status).toBe(400);
	expect((await mine.request("{")).status).toBe(400);
	expect((await mine.request(JSON.stringify({ ...ping, params: { x: "x".repeat(MAX_MCP_BODY_BYTES) } }))).status).toBe(413);
	expect((await mine.request("x", { "content-type": "text/plain" })).status).toBe(415);
	expect((await mine.request(ping, { "mcp-protocol-version": "1999-01-01" })).status).toBe(400);
	expect((await mine.request(ping, { "mcp-protocol-version": "2025-11-25" })).status).toBe(200);
	expect((await mine.request(ping, { "mcp-session-id": "two words" })).status).toBe(400);
});

test("[MC12] DELETE ends a session and its waiting calls, one that is not known is good, and GET has no stream", async () => {
	const { bed } = made;
	const mine = await made.client();
	const session = { "mcp-session-id": "from-before-the-restart" };
	expect((await mine.request(ping, session)).status).toBe(200);
	const { conversation } = await mine.call("start_conversation", { prompt: "Hello" }, session);
	const turn = await bed.runtime.nextTurn();
	const waits = await mine.beginWait(conversation.id, session);
	const other = await mine.beginWait(conversation.id, { "mcp-session-id": "other" });
	expect((await mine.request(undefined, session, { method: "DELETE" })).status).toBe(204);
	expect(JSON.parse(await waits.text)).toMatchObject({ state: "stopped" });
	turn.end();
	expect(JSON.parse(await other.text)).toMatchObject({ state: "completed" });
	expect((await mine.request(ping, session)).status).toBe(404);
	expect((await mine.request(undefined, {}, { method: "DELETE" })).status).toBe(400);
	const get = await mine.request(undefined, {}, { method: "GET" });
	expect([get.status, get.headers.get("allow")]).toEqual([405, "POST, DELETE"]);
});

test("[MC13] a call is answered in a stream when its client takes one, and stops when it is cancelled or its client goes", async () => {
	const { bed } = made;
	const mine = await made.client();
	const { conversation } = await mine.call("start_conversation", { prompt: "Hello" });
	await bed.runtime.nextTurn();
	const session = { "mcp-session-id": "s1" };
	const cancel = (requestId: number) => ({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
	const { text } = await mine.beginWait(conversation.id, session, { id: 77 });
	for (const [id, headers] of [
		[78, session],
		[77, { "mcp-session-id": "s2" }],
		[77, session],
	] as const) {
		expect((await mine.request(cancel(id), headers)).status).toBe(202);
	}
	expect(JSON.parse(await text)).toMatchObject({ state: "stopped" });
	const gone = new AbortController();
	for (let count = 0; count < MAX_WAITING; count += 1) await mine.beginWait(conversation.id, session, { signal: gone.signal });
	expect(await (await mine.beginWait(conversation.id)).text).toMatch(/^rate-limited: /);
	gone.abort();
	const later = { name: "await_turn", arguments: { conversationId: conversation.id, timeoutSeconds: 1 } };
	await expect.poll(async () => Object((await mine.rpc("tools/call", later)).message.result).isError, { timeout: 20_000 }).toBe(false);
	const plain = await mine.rpc("tools/call", { name: "list_conversations" }, { accept: "application/json" });
	expect(plain.headers.get("content-type")).toBe("application/json");
	expect(plain.headers.get("x-content-type-options")).toBe("nosniff");
});
