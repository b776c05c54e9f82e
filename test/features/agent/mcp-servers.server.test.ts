import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Todo } from "@rightseat/protocol/model/todo";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Clock, systemClock } from "../../../packages/server/src/core/kernel/clock.ts";
import type { AskForm } from "../../../packages/server/src/core/ports/agent-asks.ts";
import type { AgentSession } from "../../../packages/server/src/core/ports/agent-runtime.ts";
import type { SessionServer, SessionServerState } from "../../../packages/server/src/core/ports/agent-setup.ts";
import { SERVERS_WAIT_MS } from "../../../packages/server/src/runtime/copilot/mcp/start-servers.ts";
import { startHttpMcpServer } from "../../support/mcp-server/http.ts";
import { type ModelRequest, type ScriptedModel, startScriptedModel } from "../../support/scripted-model.ts";
import { text, toolCall } from "../../support/scripted-model-steps.ts";
import { lastEvent, ofKind, runTurn, startRuntime, startTurn } from "./runtime-harness.ts";

const PROGRAM = new URL("../../support/mcp-server/stdio.mjs", import.meta.url).pathname;

function stdio(name: string, manner = "plain", env: Record<string, string> = {}): SessionServer {
	return { name, enabled: true, server: { type: "stdio", command: process.execPath, args: [PROGRAM, manner], env } };
}
function remote(name: string, url: string, headers: Record<string, string> = {}): SessionServer {
	return { name, enabled: true, server: { type: "http", url, headers } };
}

/** A busy machine starts programs late: whoever is left out is so because the test says so. */
const patientClock: Clock = { ...systemClock, after: (ms, run) => systemClock.after(ms === SERVERS_WAIT_MS ? 10 * ms : ms, run) };
const folder = mkdtempSync(join(tmpdir(), "rightseat-mcp-"));
let model: ScriptedModel;
let host: ReturnType<typeof startRuntime>;
beforeAll(async () => {
	model = await startScriptedModel();
	host = startRuntime({ providerUrl: model.url, clock: patientClock });
});
afterAll(async () => {
	await host.close();
	await model.close();
	rmSync(folder, { recursive: true });
});

/** A session whose servers the test decides on. */
async function open(sessionId: string, servers: SessionServer[]) {
	const wanted = { servers };
	return { wanted, session: await host.open({ sessionId, cwd: folder, mcpServers: async () => wanted.servers }) };
}
const lastOffered = () => offered(model.requests.at(-1));

async function statesOf(session: AgentSession) {
	const mcp: ReadonlyMap<string, SessionServerState> = (await session.setup?.look())?.mcp ?? new Map();
	return Object.fromEntries([...mcp].map(([name, { state, tools, error }]) => [name, [state, tools.length, error ?? ""]]));
}
const offered = (request: ModelRequest | undefined) =>
	(request?.body.tools ?? []).flatMap(({ function: tool }) => (tool?.name.includes("-") ? [tool.name] : [])).sort();

test("[MS20] a server that never answers, one that ends, one that refuses and one that floods cost the others nothing, and each has its reason", async () => {
	const log = join(folder, "starts.jsonl");
	const troublemakers = [stdio("hang", "hang"), stdio("die", "die"), stdio("bad", "refuse"), stdio("flood", "flood")];
	const { session, wanted } = await open("many", [stdio("plain", "plain", { FIXTURE_LOG: log }), ...troublemakers]);
	model.reply(toolCall("plain-echo", { text: "hi" }), toolCall("die-echo", { text: "hi" }));
	model.reply(text("Done."));
	const first = startTurn(session, "Go.");
	await first.until((event) => event.kind === "notice" && event.code === "mcp-waiting");
	const pending = async () => Object.entries(await statesOf(session)).flatMap(([name, [state]]) => (state === "pending" ? [name] : []));
	await expect.poll(pending).toEqual(["hang"]);
	expect((await session.setup?.look())?.mcp.get("hang")).toMatchObject({ state: "pending", waiting: true });
	session.setup?.goOn();
	const events = await first.done;
	const leftOut = ofKind(events, "notice").filter(({ code }) => code === "mcp-left-out");
	expect(leftOut.map(({ params, lasting }) => [params?.servers, lasting])).toEqual([["hang", true]]);
	expect(lastOffered()).toEqual(["die-echo", "die-look", "plain-echo", "plain-look"]);
	// Both were called at once: which of them ends first is nobody's promise.
	const called = ofKind(events, "tool-start").map(({ toolCallId, toolName }) => {
		const ended = ofKind(events, "tool-end").filter((end) => end.toolCallId === toolCallId);
		return [toolName, ...ended.map(({ success, result }) => [success, result])];
	});
	expect(called).toEqual([
		["plain-echo", [true, "said hi"]],
		["die-echo", [false, undefined]],
	]);
	expect(await statesOf(session)).toEqual({
		plain: ["connected", 2, ""],
		hang: ["failed", 0, expect.stringContaining("did not answer")],
		die: ["failed", 0, expect.stringContaining("started again")],
		bad: ["failed", 0, expect.stringContaining("The key of this server is missing.")],
		flood: ["failed", 0, expect.stringContaining("3000 tools")],
	});
	const { env } = JSON.parse(readFileSync(log, "utf8").split("\n")[0] ?? "");
	expect(Object.keys(env).filter((name) => /token|key$/i.test(name))).toEqual([]);

	// Switched off while it is open; what ended is started again; a change takes effect with the next prompt.
	await session.setup?.setServer("plain", false);
	wanted.servers = [{ ...stdio("plain", "plain", { FIXTURE_LOG: log }), enabled: false }, ...troublemakers];
	expect((await statesOf(session)).plain).toEqual(["disabled", 0, ""]);
	model.reply(text("Done."));
	await runTurn(session, "Again.");
	expect(lastOffered()).toEqual(["die-echo", "die-look"]);
	expect((await statesOf(session)).die).toEqual(["connected", 2, ""]);
	wanted.servers = [stdio("new")];
	model.reply(text("Done."));
	await runTurn(session, "Once more.");
	expect(lastOffered()).toEqual(["new-echo", "new-look"]);
});

test("[MS33] a server that the runtime knows from another conversation is there, with its tools, before the prompt is sent", async () => {
	for (const sessionId of ["known-a", "known-b", "known-c"]) {
		const { session } = await open(sessionId, [stdio("plain"), stdio("other")]);
		model.reply(text("Done."));
		const turn = startTurn(session, "Go.");
		await turn.until((event) => event.kind === "text-delta");
		expect(await statesOf(session), sessionId).toEqual({ plain: ["connected", 2, ""], other: ["connected", 2, ""] });
		await turn.done;
	}
});

test("[MS21] a stop while servers start ends the turn at once, and nothing was sent to the model", async () => {
	const asked = model.requests.length;
	const { session } = await open("stopped", [stdio("hang", "hang")]);
	const turn = startTurn(session, "Go.");
	await turn.until((event) => event.kind === "notice");
	turn.stop();
	expect(lastEvent(await turn.done)).toMatchObject({ kind: "turn-end", outcome: "aborted" });
	expect(model.requests).toHaveLength(asked);
});

test("[MS32] servers of one conversation are its own: another has its own process, variables and switches, and none of its tools", async () => {
	const logs = [join(folder, "a.jsonl"), join(folder, "b.jsonl")] as const;
	const a = await open("own-a", [stdio("same", "plain", { FIXTURE_LOG: logs[0] }), stdio("extra")]);
	const b = await open("own-b", [stdio("same", "plain", { FIXTURE_LOG: logs[1] })]);
	for (const { session } of [a, b]) {
		model.reply(text("Done."));
		await runTurn(session, "Go.");
	}
	expect(lastOffered()).toEqual(["same-echo", "same-look"]);
	await b.session.setup?.setServer("same", false);
	model.reply(toolCall("same-echo", { text: "still here" }));
	model.reply(text("Done."));
	const events = await runTurn(a.session, "Again.");
	expect(ofKind(events, "tool-end").map(({ result }) => result)).toEqual(["said still here"]);
	expect(lastOffered()).toEqual(["extra-echo", "extra-look", "same-echo", "same-look"]);
	const started = logs.map((log) => JSON.parse(readFileSync(log, "utf8").split("\n")[0] ?? "").env.FIXTURE_LOG);
	expect([started, (await statesOf(b.session)).same]).toEqual([[...logs], ["disabled", 0, ""]]);
});

test("[MS30] a person signs in to a server from elsewhere: the address on which the browser ended is pasted, and no other address is fetched", async () => {
	const far = await startHttpMcpServer({ login: true });
	const near = await startHttpMcpServer();
	const { session } = await open("remote", [remote("far", far.url), remote("near", near.url, { "X-Key": "k-1" })]);
	model.reply(text("Done."));
	await runTurn(session, "Go.");
	expect(await statesOf(session)).toEqual({ far: ["needs-auth", 0, ""], near: ["connected", 2, ""] });
	expect(near.calls.every((headers) => headers["x-key"] === "k-1")).toBe(true);
	const login = await session.setup?.login("far");
	expect(login?.redirectUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);
	const ended = (await fetch(login?.authorizationUrl ?? "", { redirect: "manual" })).headers.get("location") ?? "";
	const wrong = near.url.replace("/mcp", new URL(ended).pathname + new URL(ended).search);
	await expect(session.setup?.finishLogin("far", wrong)).rejects.toMatchObject({ code: "bad-request" });
	expect(await session.setup?.finishLogin("far", ended)).toBe("connected");
	expect((await statesOf(session)).far).toEqual(["connected", 2, ""]);
	await expect(session.setup?.finishLogin("far", ended)).rejects.toMatchObject({ code: "not-running" });

	// Trying a server leaves nothing behind.
	expect(await host.runtime.tryServer(remote("x", near.url).server, folder)).toEqual({ state: "connected", tools: ["echo", "look"] });
	expect(await host.runtime.tryServer(stdio("x", "refuse").server, folder)).toMatchObject({
		state: "failed",
		error: expect.stringContaining("The key of this server is missing."),
	});
	const sessions = await (await host.runtime.getClient()).listSessions();
	expect(sessions.filter(({ sessionId }) => sessionId.startsWith("mcp-trial"))).toEqual([]);
	await near.close();
	await far.close();
});

test("[FO20] with the real runtime a form of an MCP server reaches people and their answer the server; a huge one is only handed over, and the to-do list is told", async () => {
	const asked: AskForm[] = [];
	const lists: (readonly Todo[])[] = [];
	const session = await host.open({
		sessionId: "forms",
		cwd: folder,
		mcpServers: async () => [stdio("shop", "ask")],
		onTodos: (items) => void lists.push(items),
		async form(form) {
			asked.push(form);
			return form.url === undefined ? { action: "accept", content: { name: "Ada" } } : { action: "decline" };
		},
	});
	const schema = (description: string) => ({ type: "object", properties: { name: { type: "string", description } } });
	const ask = (params: object) => toolCall("shop-echo", { text: JSON.stringify(params) });
	model.reply(ask({ message: "Who?", requestedSchema: schema("x") }));
	model.reply(ask({ message: "Large", requestedSchema: schema("HUGE") }));
	model.reply(ask({ mode: "url", message: "There", url: "https://example.org/x", elicitationId: "e1" }));
	model.reply(toolCall("sql", { description: "t", query: "INSERT INTO todos (id, title, status) VALUES ('a', 'One', 'in_progress')" }));
	model.reply(text("Done."));
	const events = await runTurn(session, "Go.");
	expect(asked.map(({ message, source, url }) => [message, source, url])).toEqual([
		["Who?", "shop", undefined],
		["Large", "shop", undefined],
		["There", "shop", "https://example.org/x"],
	]);
	expect(asked[0]?.schema).toEqual(schema("x"));
	expect(ofKind(events, "tool-end").map(({ result }) => result)).toEqual([
		'{"action":"accept","content":{"name":"Ada"}}',
		'{"action":"accept","content":{"name":"Ada"}}',
		'{"action":"decline"}',
		expect.any(String),
	]);
	await expect.poll(() => lists).toEqual([[{ id: "a", title: "One", status: "in_progress" }]]);
	await session.close();
});
