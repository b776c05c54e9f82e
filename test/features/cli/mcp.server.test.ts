import { afterAll, beforeAll, expect, test } from "vitest";
import { runCli, startCli } from "../../support/cli.ts";
import { startServer, type TestServer } from "../../support/server.ts";

let server: TestServer;
beforeAll(async () => {
	server = await startServer({ args: ["--demo"] });
});
afterAll(() => server.close());

const run = (args: string[]) => runCli(["mcp", ...args], { home: server.home });

/** A client that starts `rightseat mcp` as its server. */
function startBridge(env: NodeJS.ProcessEnv = {}, args: string[] = []) {
	const cli = startCli(["mcp", ...args], { home: server.home, env, stdin: null });
	let id = 0;
	const answers = () =>
		cli
			.stdout()
			.split("\n")
			.filter((line) => line !== "")
			.map((line) => JSON.parse(line));
	async function rpc(method: string, params: object = {}) {
		id += 1;
		const mine = id;
		cli.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: mine, method, params })}\n`);
		await cli.until("stdout", new RegExp(`^\\{.*"id":${mine}[,}]`, "m"));
		return answers().find((answer) => answer.id === mine);
	}
	async function call(name: string, args: object = {}) {
		const { result } = await rpc("tools/call", { name, arguments: args });
		return { isError: result.isError, text: String(result.content[0].text) };
	}
	return { cli, rpc, call, answers };
}

test("[MC40] rightseat mcp speaks MCP over standard input and output, starts a conversation and awaits its answer", async () => {
	const { cli, rpc, call, answers } = startBridge();
	expect(
		(await rpc("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } })).result,
	).toMatchObject({
		serverInfo: { name: "rightseat" },
	});
	cli.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
	expect((await rpc("tools/list")).result.tools).toHaveLength(6);
	const started = JSON.parse((await call("start_conversation", { prompt: "Hello", title: "By a bridge" })).text);
	expect(started.conversation).toMatchObject({ permissions: "ask", title: "By a bridge" });
	const ended = JSON.parse((await call("await_turn", { conversationId: started.conversation.id, messageId: started.messageId })).text);
	expect(ended.answer.text.length).toBeGreaterThan(0);
	cli.child.stdin.write("{ no json\n");
	await cli.until("stdout", /HTTP 400/);
	cli.child.stdin.end();
	expect(await cli.exited).toBe(0);
	expect(cli.stderr()).toBe("");
	expect(answers().length).toBeGreaterThan(4);
	expect(await (await server.api("/api/mcp-tokens")).json()).toEqual({ tokens: [] });
});

test("[MC41] a bridge that the agent of a conversation starts says whose it is, and goes on after a restart of the server", async () => {
	const made = await server.api("/api/conversations", { method: "POST", json: { permissions: "ask" } });
	const { id } = Object(await made.json()).conversation;
	const { cli, call } = startBridge({ RIGHTSEAT_CONVERSATION: id }, ["--permissions", "auto"]);
	expect(JSON.parse((await call("start_conversation")).text)).toMatchObject({ depth: 1, conversation: { permissions: "ask" } });
	expect((await call("send_prompt", { conversationId: id, prompt: "Hi" })).text).toMatch(/^forbidden: /);
	server = await server.restart();
	expect(JSON.parse((await call("list_conversations")).text).conversations.length).toBeGreaterThan(1);
	cli.child.stdin.end();
	expect(await cli.exited).toBe(0);
});

test("[MC42] mcp token makes a token and prints it once, tokens lists it, revoke ends it; wrong usage changes nothing", async () => {
	const made = await run(["token", "Editor", "--reach", "all"]);
	expect([made.exit, made.stdout]).toEqual([0, expect.stringMatching(/^rsm_[\w-]{43}\n$/)]);
	const ping = () =>
		fetch(`${server.url}/mcp`, {
			method: "POST",
			headers: { authorization: `Bearer ${made.stdout.trim()}`, "content-type": "application/json" },
			body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
		});
	expect((await ping()).status).toBe(200);
	const listed = await run(["tokens"]);
	expect(listed.stdout).toMatch(/^[\w-]{36} {2}ask {2}all {2}\S+ {2}Editor\n$/);
	expect((await run(["revoke", listed.stdout.slice(0, 36)])).exit).toBe(0);
	expect((await ping()).status).toBe(401);
	for (const args of [["token"], ["revoke"], ["other"], ["token", "a", "b"], ["token", "a", "--reach", "some"], ["revoke", "none"]]) {
		const wrong = await run(args);
		expect([args, wrong.exit, wrong.stdout, wrong.stderr]).toEqual([args, 2, "", expect.stringMatching(/^rightseat mcp: .+\n$/)]);
	}
	expect((await run(["--help"])).stdout).toMatch(/^Usage: rightseat mcp /);
});
