import { Server } from "node:net";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import type { PermitDecision } from "../../../core/ports/agent-runtime.ts";
import type { AgentTool } from "../../../core/ports/agent-tool.ts";
import { MAX_CALLS } from "../../../mcp/tool-calls.ts";
import { MAX_CALL_BYTES } from "./body.ts";
import { call, closeServers, ECHO, echo, heldTool, makeServer, openTools, promised, raw } from "./tool-server-harness.ts";

afterEach(closeServers);

test("[AC90] an agent initializes, lists the tools as the model shall see them, and calls one", async () => {
	const { post } = await openTools();
	const begun = await post({ id: 1, method: "initialize", params: { protocolVersion: "2025-03-26" } });
	expect(begun.message.result).toMatchObject({
		protocolVersion: "2025-03-26",
		capabilities: { tools: {} },
		serverInfo: { name: "rightseat" },
	});
	expect(begun.headers.get("mcp-session-id")).toMatch(/^\w+$/);
	expect((await post({ method: "notifications/initialized" })).status).toBe(202);
	expect((await post({ id: 2, method: "tools/list" })).message.result).toEqual({
		tools: [{ name: "Echo", description: "Says it again.", inputSchema: { type: "object" }, _meta: { "anthropic/alwaysLoad": true } }],
	});
	expect((await post(echo(3, { text: "hi" }))).message).toEqual({
		jsonrpc: "2.0",
		id: 3,
		result: { content: [{ type: "text", text: '{"text":"hi"}' }], isError: false },
	});
	expect((await post({ id: "p", method: "ping" })).message).toEqual({ jsonrpc: "2.0", id: "p", result: {} });
});

test("[AC90] another version of MCP is answered with ours", async () => {
	const { post } = await openTools();
	const { message } = await post({ id: 1, method: "initialize", params: { protocolVersion: "2099-01-01" } });
	expect(message.result).toMatchObject({ protocolVersion: "2025-06-18" });
});

test.each(["server/discover", "resources/list", "prompts/list", "nothing"])("[AC91] %s is not found", async (method) => {
	const { post } = await openTools();
	expect((await post({ id: 1, method })).message.error).toMatchObject({ code: -32_601 });
});

test("[AC91] a call without a name, of a tool that is not there or with arguments that are none is refused, and runs nothing", async () => {
	const { post, calls } = await openTools();
	for (const params of [undefined, {}, { name: "Rm", arguments: {} }, { name: "Echo", arguments: "text" }]) {
		expect((await post({ id: 1, method: "tools/call", params })).message.error).toMatchObject({ code: -32_602 });
	}
	expect(calls).toEqual([]);
});

test.each([
	["no token", {}],
	["a wrong token", { authorization: "Bearer wrong" }],
	["another scheme", { authorization: "Basic wrong" }],
])("[AC92] with %s nothing is answered", async (_what, headers) => {
	const { opened, calls } = await openTools();
	const response = await fetch(opened.url, { method: "POST", headers, body: JSON.stringify({ jsonrpc: "2.0", ...echo(1, {}) }) });
	expect(response.status).toBe(401);
	expect(calls).toEqual([]);
});

test("[AC92] the token of a conversation reaches its own tools only", async () => {
	const server = makeServer();
	const first = await openTools({ server });
	const second = await openTools({ server });
	expect(first.opened.url).toBe(second.opened.url);
	expect(first.opened.token).not.toBe(second.opened.token);
	await first.post(echo(1, { from: "first" }));
	expect(first.calls).toHaveLength(1);
	expect(second.calls).toEqual([]);
});

test("[AC92] after its end a token is worth nothing, while another goes on", async () => {
	const server = makeServer();
	const first = await openTools({ server });
	const second = await openTools({ server });
	first.opened.close();
	expect((await first.post(echo(1, {}))).status).toBe(401);
	expect((await second.post(echo(1, {}))).status).toBe(200);
	expect(first.calls).toEqual([]);
});

test("[AC93] a page that found the port gets no further than the gate", async () => {
	const { opened, calls } = await openTools();
	const { port } = new URL(opened.url);
	const authorization = `Bearer ${opened.token}`;
	const own = `127.0.0.1:${port}`;
	expect(await raw(opened, { authorization, host: `evil.example:${port}` })).toBe(403);
	expect(await raw(opened, { authorization, host: own, origin: "http://evil.example" })).toBe(403);
	expect(await raw(opened, { authorization, host: own, origin: "null" })).toBe(403);
	expect(calls).toEqual([]);
	expect(await raw(opened, { authorization, host: `localhost:${port}`, origin: `http://${own}` })).toBe(200);
});

test.each(["GET", "DELETE", "PUT"])("[AC94] %s is not allowed, and another path is not there", async (method) => {
	const { opened } = await openTools();
	const headers = { authorization: `Bearer ${opened.token}` };
	const response = await fetch(opened.url, { method, headers });
	expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
	expect((await fetch(`${opened.url}/more`, { method: "POST", headers })).status).toBe(404);
});

test("[AC94] what is no message, or several, is refused", async () => {
	const { opened } = await openTools();
	const headers = { authorization: `Bearer ${opened.token}` };
	for (const body of ["", "{", "[]", '"x"', `[${JSON.stringify({ jsonrpc: "2.0", ...echo(1, {}) })}]`]) {
		expect((await fetch(opened.url, { method: "POST", headers, body })).status).toBe(400);
	}
});

test("[AC95] a body over 1 MiB is refused whether or not it says so", async () => {
	const { opened, post, calls } = await openTools();
	expect((await post(echo(1, { text: "x".repeat(MAX_CALL_BYTES) }))).status).toBe(413);
	expect(
		await raw(opened, { authorization: `Bearer ${opened.token}`, host: new URL(opened.url).host }, "x".repeat(MAX_CALL_BYTES + 1)),
	).toBe(413);
	expect(calls).toEqual([]);
	expect((await post(echo(2, { text: "x".repeat(MAX_CALL_BYTES - 200) }))).status).toBe(200);
});

test("[AC96] a call that takes its time is heard of every ten seconds, with the token of the client", async () => {
	const tool = heldTool();
	const { stream, clock } = await openTools({ tool });
	const events = await stream({ ...call(7, "Held"), params: { name: "Held", _meta: { progressToken: "t" } } });
	await tool.begun;
	await clock.advance(20_000);
	expect(await events.next()).toEqual({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: "t", progress: 1 } });
	expect(await events.next()).toEqual({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: "t", progress: 2 } });
	tool.end({ ok: true, text: "done" });
	expect(await events.next()).toMatchObject({ id: 7, result: { content: [{ type: "text", text: "done" }], isError: false } });
	expect(clock.pending()).toBe(0);
});

test("[AC96] without a token the stream is kept open by comments", async () => {
	const tool = heldTool();
	const { stream, clock } = await openTools({ tool });
	const events = await stream(call(7, "Held"));
	await tool.begun;
	await clock.advance(10_000);
	tool.end({ ok: true, text: "done" });
	expect(await events.next()).toBe(": still running");
	expect(await events.next()).toMatchObject({ id: 7 });
});

test("[AC97] a cancel stops its own call and no other's of the same number", async () => {
	const tool = heldTool();
	const { post, stream } = await openTools({ tool });
	const events = await stream(call(7, "Held"), { "mcp-session-id": "one" });
	await tool.begun;
	await post({ method: "notifications/cancelled", params: { requestId: 7 } }, { "mcp-session-id": "two" });
	await post({ method: "notifications/cancelled", params: { requestId: 8 } }, { "mcp-session-id": "one" });
	expect(tool.aborted()).toBe(false);
	await post({ method: "notifications/cancelled", params: { requestId: 7 } }, { "mcp-session-id": "one" });
	expect(tool.aborted()).toBe(true);
	expect(await events.next()).toMatchObject({ result: { isError: true } });
});

test("[AC97] a cancel after the end of a call stops nothing that it left in the background", async () => {
	let signal: AbortSignal | undefined;
	const tool: AgentTool = {
		...ECHO,
		run: async (_args, toolCall) => {
			signal = toolCall.signal;
			return { ok: true, text: "" };
		},
	};
	const { post, stop } = await openTools({ tool });
	await post(echo(1, {}));
	await post({ method: "notifications/cancelled", params: { requestId: 1 } });
	stop.abort();
	expect(signal?.aborted).toBe(false);
});

test.each(["the turn ends", "the client hangs up", "the process is gone", "the server closes"])(
	"[AC98] a call stops when %s",
	async (why) => {
		const tool = heldTool();
		const { stream, stop, opened, server, ended } = await openTools({ tool });
		const hangUp = new AbortController();
		const events = await stream(call(1, "Held"), {}, hangUp.signal);
		await tool.begun;
		if (why === "the turn ends") stop.abort();
		if (why === "the client hangs up") hangUp.abort();
		if (why === "the process is gone") opened.close();
		if (why === "the server closes") await server.close();
		await expect.poll(() => ended).toEqual([{ ok: false, text: "stopped" }]);
		if (why === "the turn ends" || why === "the process is gone") expect(await events.next()).toMatchObject({ result: { isError: true } });
		else await events.next().catch(() => undefined);
	},
);

test("[AC99] without a turn a call is refused and nothing runs", async () => {
	const { post, ran } = await openTools({ host: async () => undefined });
	expect((await post(echo(1, {}))).message.result).toEqual({
		content: [{ type: "text", text: "The turn that asked for this is over." }],
		isError: true,
	});
	expect(ran).toEqual([]);
});

test("[AC100] nothing runs before it is permitted, and a refusal tells the agent why", async () => {
	const { post, ran, ended } = await openTools({ permit: async () => ({ kind: "reject", feedback: "Not today." }) });
	expect((await post(echo(1, {}))).message.result).toEqual({ content: [{ type: "text", text: "Not today." }], isError: true });
	expect(ran).toEqual([]);
	expect(ended).toEqual([{ ok: false, text: "Not today." }]);
});

test("[AC100] a permission that comes after the stop runs nothing", async () => {
	let decide: (decision: PermitDecision) => void = () => undefined;
	const asked = promised<AbortSignal>();
	const permit = (signal: AbortSignal) => {
		asked.resolve(signal);
		return new Promise<PermitDecision>((resolve) => {
			decide = resolve;
		});
	};
	const { post, ran, stop } = await openTools({ permit });
	const answer = post(echo(1, {}));
	const signal = await asked.promise;
	stop.abort();
	expect(signal.aborted).toBe(true);
	decide({ kind: "approve-once" });
	expect((await answer).message.result).toMatchObject({ isError: true });
	expect(ran).toEqual([]);
});

test("[AC101] live output goes straight to the card of the call, well-formed, and the end is told once", async () => {
	const tool = heldTool();
	const { stream, outputs, ended, calls } = await openTools({ tool });
	const params = { name: "Held", arguments: { a: 1 }, _meta: { "claudecode/toolUseId": "card" } };
	const events = await stream({ id: 1, method: "tools/call", params });
	const running = await tool.begun;
	running.output("one \ud83d");
	expect(outputs).toEqual(["one �"]);
	tool.end({ ok: false, text: "bad \ud83d" });
	await events.next();
	expect(calls).toEqual([{ toolName: "Held", arguments: { a: 1 }, meta: { "claudecode/toolUseId": "card" } }]);
	expect(running.toolCallId).toBe("card");
	expect(ended).toEqual([{ ok: false, text: "bad �" }]);
});

test("[AC102] a tool or a card that fails is an answer, and the next call runs", async () => {
	let fails = true;
	const tool: AgentTool = {
		...ECHO,
		run: async () => {
			if (fails) throw new TypeError("broken");
			return { ok: true, text: "fine" };
		},
	};
	const { post } = await openTools({ tool });
	expect((await post(echo(1, {}))).message.result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("broken") }] });
	fails = false;
	expect((await post(echo(2, {}))).message.result).toMatchObject({ isError: false });
	const broken = await openTools({ host: async () => Promise.reject(new TypeError("no card")) });
	expect((await broken.post(echo(1, {}))).message.result).toMatchObject({ isError: true });
});

test("[AC103] calls that run at once are bounded, and a number in use is refused", async () => {
	const tool = heldTool();
	const { post, stream } = await openTools({ tool });
	await Promise.all(Array.from({ length: MAX_CALLS }, (_, id) => stream(call(id, "Held"))));
	await expect.poll(() => tool.count()).toBe(MAX_CALLS);
	expect((await post(call(0, "Held"))).message.error).toMatchObject({ code: -32_602 });
	expect((await post(call("more", "Held"))).message.result).toMatchObject({ isError: true });
	expect(tool.count()).toBe(MAX_CALLS);
});

test("[AC481] the port for the tools of agents is opened with the first use of one, once, on 127.0.0.1", async () => {
	const listen = vi.spyOn(Server.prototype, "listen");
	onTestFinished(() => listen.mockRestore());
	const server = makeServer();
	expect(listen).not.toHaveBeenCalled();
	for (let count = 0; count < 2; count += 1) {
		const { url } = await server.open({ tools: [ECHO], onCall: async () => undefined });
		expect(new URL(url).hostname).toBe("127.0.0.1");
	}
	expect(listen.mock.calls).toEqual([[0, "127.0.0.1"]]);
});
