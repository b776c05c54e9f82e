import { execFileSync } from "node:child_process";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type ModelRequest, type ScriptedModel, startScriptedModel } from "../../support/scripted-model.ts";
import { createGate, stall, text, toolCall, waitFor } from "../../support/scripted-model-steps.ts";
import { startServer, type TestServer } from "../../support/server.ts";
import type { WsClient } from "../../support/ws-client.ts";

let model: ScriptedModel;
let server: TestServer;
let clients: WsClient[] = [];

beforeAll(async () => {
	model = await startScriptedModel();
	server = await startServer({ env: { RIGHTSEAT_PROVIDER_URL: model.url, RIGHTSEAT_PROVIDER_KEY: "test-key-1234" } });
});
afterAll(async () => {
	await server.close();
	await model.close();
});
beforeEach(() => model.default(() => [text("fine")]));
afterEach(async () => {
	for (const client of clients) client.terminate();
	clients = [];
});

async function connect(): Promise<WsClient> {
	const client = await server.ws();
	clients.push(client);
	return client;
}
async function newConversation(): Promise<string> {
	const response = await server.api("/api/conversations", { method: "POST", json: {} });
	expect(response.status).toBe(201);
	return (await response.json()).conversation.id;
}
async function stored(id: string): Promise<{ role: string; content: string; metadata: Record<string, unknown> }[]> {
	return (await (await server.api(`/api/conversations/${id}/messages?limit=100`)).json()).messages;
}
const shown = (client: WsClient, id: string) =>
	client
		.all("copilot:delta")
		.flatMap((frame) => (frame.data.conversationId === id ? [frame.data.content] : []))
		.join("");
const idle = (client: WsClient, count = 1) =>
	client.waitFor("copilot:idle", () => client.all("copilot:idle").length >= count, { timeoutMs: 30_000 });
const lastUserText = (request: ModelRequest) => {
	const content = request.body.messages.findLast((message) => message.role === "user")?.content;
	return typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("");
};

test("[EV8] a server killed in mid-answer comes back with the text that was shown, marked interrupted, and runs nothing twice", async () => {
	const id = await newConversation();
	const client = await connect();
	client.send({ type: "copilot:subscribe", data: { conversationId: id } });
	model.reply(text("The first half, "), stall());
	const before = model.requests.length;
	client.send({ type: "copilot:send", data: { conversationId: id, prompt: "Tell me", clientMessageId: "kill-1" } });
	await client.waitFor("copilot:delta");
	const last = client.frames
		.flatMap((frame) => ("data" in frame && "seq" in frame.data && frame.type !== "copilot:snapshot" ? [frame.data] : []))
		.at(-1);
	const text1 = shown(client, id);
	server = await server.restart();
	const again = await connect();
	again.send({ type: "copilot:subscribe", data: { conversationId: id, epoch: String(last?.epoch), lastSeq: Number(last?.seq) } });
	await again.waitFor("copilot:idle", (frame) => frame.data.outcome === "interrupted");
	expect((await again.waitFor("copilot:stream-status")).data).toMatchObject({ mode: "delta", status: "error" });
	expect(await stored(id)).toMatchObject([
		{ role: "user", content: "Tell me" },
		{ role: "assistant", content: text1, metadata: { outcome: "interrupted" } },
	]);
	again.send({ type: "copilot:send", data: { conversationId: id, prompt: "Tell me", clientMessageId: "kill-1" } });
	expect((await again.waitFor("copilot:ack")).data).toMatchObject({ clientMessageId: "kill-1", duplicate: true });
	await again.roundTrip();
	expect(model.requests.length).toBe(before + 1);
	model.reply(text("and the second half."));
	again.send({ type: "copilot:send", data: { conversationId: id, prompt: "Continue" } });
	await idle(again, 2);
	expect(model.requests.length).toBe(before + 2);
	expect((await stored(id)).at(-1)?.content).toBe("and the second half.");
});

test("[CV50] a conversation goes on with its history after a restart", async () => {
	const id = await newConversation();
	const client = await connect();
	client.send({ type: "copilot:send", data: { conversationId: id, prompt: "My name is Ada" } });
	await idle(client);
	server = await server.restart();
	const again = await connect();
	again.send({ type: "copilot:send", data: { conversationId: id, prompt: "What is my name?" } });
	await idle(again);
	expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain("My name is Ada");
});

test("[EV21] two readers see the same and one that reads nothing costs them nothing", async () => {
	const id = await newConversation();
	const [one, two, deaf] = [await connect(), await connect(), await connect()];
	for (const client of [one, two, deaf]) client.send({ type: "copilot:subscribe", data: { conversationId: id } });
	for (const client of [one, two, deaf]) await client.roundTrip();
	deaf.pause();
	model.reply(...Array.from({ length: 200 }, (_, index) => text(`word${index} `)));
	one.send({ type: "copilot:send", data: { conversationId: id, prompt: "Go" } });
	await Promise.all([idle(one), idle(two)]);
	const events = (client: WsClient) =>
		client.frames.filter((frame) => "data" in frame && "seq" in frame.data && frame.type !== "copilot:snapshot");
	expect(events(two)).toEqual(events(one));
	expect(shown(one, id)).toBe((await stored(id)).at(-1)?.content);
	deaf.resume();
	await idle(deaf);
	expect(shown(deaf, id)).toBe(shown(one, id));
});

test("[CV30] prompts sent while the agent answers are queued and answered in order, each as a turn of its own", async () => {
	const id = await newConversation();
	const client = await connect();
	const gate = createGate();
	model.reply(text("one"), waitFor(gate));
	model.reply(text("two"));
	client.send({ type: "copilot:send", data: { conversationId: id, prompt: "1" } });
	await client.waitFor("copilot:delta");
	client.send({ type: "copilot:send", data: { conversationId: id, prompt: "2" } });
	expect((await client.waitFor("copilot:queue")).data.items).toMatchObject([{ content: "2" }]);
	gate.open();
	await idle(client, 2);
	expect((await stored(id)).map((message) => message.content)).toEqual(["1", "one", "2", "two"]);
});

test("[BX2] what a person runs is seen by the agent with the next prompt, exactly as written down, and once", async () => {
	const id = await newConversation();
	const client = await connect();
	client.send({ type: "copilot:subscribe", data: { conversationId: id } });
	client.send({ type: "bash:exec", data: { conversationId: id, command: "printf hello" } });
	expect((await client.waitFor("bash:done")).data).toMatchObject({ exitCode: 0 });
	client.send({ type: "copilot:send", data: { conversationId: id, prompt: "What did I do?" } });
	await idle(client);
	expect(lastUserText(model.requests.at(-1) ?? (await model.request(1)))).toContain(
		"[Bash executed by user]\n$ printf hello\nhello\n[exit code: 0]\n\nWhat did I do?",
	);
	client.send({ type: "copilot:send", data: { conversationId: id, prompt: "And now?" } });
	await idle(client, 2);
	expect(lastUserText(model.requests.at(-1) ?? (await model.request(1)))).not.toContain("[Bash executed by user]");
});

test("[BX15] the acknowledgement of a command names the message that its result becomes; a cut result says so; a signal is 128 and its number", async () => {
	const id = await newConversation();
	const client = await connect();
	client.send({ type: "copilot:subscribe", data: { conversationId: id } });
	client.send({ type: "bash:exec", data: { conversationId: id, command: "seq 1 2500", clientMessageId: "seq" } });
	const { messageId } = (await client.waitFor("copilot:ack")).data;
	expect((await client.waitFor("bash:done")).data).toMatchObject({ exitCode: 0, truncated: true });
	const shownLive = client
		.all("bash:output")
		.map((frame) => frame.data.output)
		.join("");
	expect(shownLive).toBe(Array.from({ length: 2_500 }, (_, index) => `${index + 1}\n`).join(""));
	expect((await stored(id)).at(-1)).toMatchObject({ id: messageId, content: expect.stringContaining("\n...[truncated]\n[exit code: 0]") });
	client.send({ type: "bash:exec", data: { conversationId: id, command: "kill -9 $$" } });
	await client.waitFor("bash:done", (frame) => frame.data.exitCode === 137);
	expect((await stored(id)).at(-1)?.content).toMatch(/\[exit code: 137\]$/);
});

test("[CF239] what the agent runtime keeps is private after a turn", async () => {
	const id = await newConversation();
	const client = await connect();
	client.send({ type: "copilot:send", data: { conversationId: id, prompt: "Hello" } });
	await idle(client);
	const open = () => execFileSync("find", [server.home, "(", "-type", "f", "-o", "-type", "d", ")", "-perm", "/077"], { encoding: "utf8" });
	await expect.poll(open).toBe("");
});

test("[BX21] what a person exports the agent's Bash sees, and the reverse", async () => {
	const id = await newConversation();
	const client = await connect();
	client.send({ type: "copilot:subscribe", data: { conversationId: id } });
	client.send({ type: "bash:exec", data: { conversationId: id, command: "export COLOUR=green; cd /usr" } });
	await client.waitFor("bash:done");
	model.reply(toolCall("Bash", { command: "echo $COLOUR; pwd; export BACK=yes" }));
	model.reply(text("seen"));
	client.send({ type: "copilot:send", data: { conversationId: id, prompt: "Look" } });
	const tool = await client.waitFor("copilot:tool_end", undefined, { timeoutMs: 30_000 });
	expect(tool.data).toMatchObject({ success: true, result: expect.stringMatching(/green\n\/usr/) });
	await idle(client);
	client.send({ type: "bash:exec", data: { conversationId: id, command: "echo back=$BACK" } });
	await client.waitFor("bash:output", (frame) => frame.data.output.includes("back=yes"));
});

test("[CV52] a long tool result reaches the model whole, up to 30,000 characters", async () => {
	const id = await newConversation();
	const client = await connect();
	model.reply(toolCall("Bash", { command: "seq 1 150000" }));
	model.reply(text("counted"));
	client.send({ type: "copilot:send", data: { conversationId: id, prompt: "Count" } });
	await idle(client);
	const result = model.requests.at(-1)?.body.messages.findLast((message) => message.role === "tool")?.content;
	const seen = typeof result === "string" ? result : JSON.stringify(result);
	expect(seen.length).toBeGreaterThan(25_000);
	expect(seen.length).toBeLessThanOrEqual(30_500);
	expect(seen).toMatch(/^1\n2\n3\n/);
	expect(seen).toContain("\n150000\n");
});

test("[CV53] a runtime killed in mid-turn ends it with a readable error and one idle; the next prompt works", async () => {
	const id = await newConversation();
	const client = await connect();
	model.reply(text("almost "), stall());
	client.send({ type: "copilot:send", data: { conversationId: id, prompt: "Go" } });
	await client.waitFor("copilot:delta");
	for (const pid of runtimesOf(server.pid)) process.kill(pid, "SIGKILL");
	const error = await client.waitFor("copilot:error", undefined, { timeoutMs: 10_000 });
	expect(error.data.code).toBe("runtime-died");
	await idle(client);
	expect((await stored(id)).at(-1)).toMatchObject({ content: "almost ", metadata: { outcome: "interrupted" } });
	client.send({ type: "copilot:send", data: { conversationId: id, prompt: "Again" } });
	await idle(client, 2);
	expect(client.all("copilot:idle")).toHaveLength(2);
	expect((await stored(id)).at(-1)?.content).toBe("fine");
});

test("[CV54] SIGTERM in mid-answer stores it as interrupted and ends the process with 0 within 15 s", async () => {
	const id = await newConversation();
	const client = await connect();
	model.reply(text("half "), stall());
	client.send({ type: "copilot:send", data: { conversationId: id, prompt: "Go" } });
	await client.waitFor("copilot:delta");
	const began = Date.now();
	expect(await server.kill("SIGTERM")).toBe(0);
	expect(Date.now() - began).toBeLessThan(15_000);
	server = await server.restart();
	expect((await stored(id)).at(-1)).toMatchObject({ content: "half ", metadata: { outcome: "interrupted" } });
});

/** The agent runtimes among the children of a process. */
function runtimesOf(parent: number): number[] {
	const rows = execFileSync("ps", ["-o", "pid=,ppid=,args=", "-A"], { encoding: "utf8" }).split("\n");
	return rows.flatMap((row) => {
		const [, pid, ppid, args] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row) ?? [];
		return Number(ppid) === parent && args?.includes("copilot") ? [Number(pid)] : [];
	});
}
