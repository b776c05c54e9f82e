import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type AcpClient, startAcpClient } from "../support/acp-agent/acp-client.ts";
import { startMcpServer } from "../support/acp-agent/mcp-server.ts";
import { judge, judgeLine } from "../support/acp-agent/schema-judge.ts";

const clients: AcpClient[] = [];
const folders: string[] = [];

afterEach(async () => {
	await Promise.all(clients.splice(0).map((client) => client.kill()));
	for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function start(...switches: string[]): AcpClient {
	const client = startAcpClient(...switches);
	clients.push(client);
	return client;
}

function makeFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "acp-agent-"));
	folders.push(folder);
	return folder;
}

const permitted = (client: AcpClient) =>
	client.answer("session/request_permission", () => ({ outcome: { outcome: "selected", optionId: "once" } }));

test("[AT1] the judge tells good messages from bad ones", () => {
	expect(judge("PromptResponse", { stopReason: "end_turn" })).toEqual([]);
	expect(judge("PromptResponse", { stopReason: "banana" })).not.toEqual([]);
	expect(judge("NewSessionResponse", {})).toEqual(["NewSessionResponse.sessionId is missing"]);
	expect(judge("SessionNotification", { sessionId: "s", update: { sessionUpdate: "usage_update" } })).not.toEqual([]);
});

test("[AT1] what the agent answers and sends is what the protocol allows", async () => {
	const folder = makeFolder();
	const client = start(`home=${folder}`);
	permitted(client);
	client.answer("elicitation/create", () => ({ action: "accept", content: { question_0: "blue" } }));
	const wrong = [...judge("InitializeResponse", await client.request("initialize", { protocolVersion: 1 }))];
	const opened = await client.request("session/new", { cwd: folder, mcpServers: [] });
	const sessionId = String(opened.sessionId);
	wrong.push(...judge("NewSessionResponse", opened));
	const script = [
		"think hm",
		"say hello",
		"plan *a, >b, c",
		"run echo hi",
		"edit new.txt words",
		"ask Which colour? | red | blue",
		"ask Why?",
	];
	const more = ["askurl https://example.invalid/", "permit", "usage 5 10 1", "title A title", "commands 3", "mode plan", "request _x/y"];
	client.answer("_x/y", () => ({}));
	wrong.push(...judge("PromptResponse", await client.prompt(sessionId, [...script, ...more].join("\n"))));
	const option = await client.request("session/set_config_option", { sessionId, configId: "model", value: "large" });
	wrong.push(...judge("SetSessionConfigOptionResponse", option));
	wrong.push(...judge("ListSessionsResponse", await client.request("session/list", {})));
	wrong.push(...judge("CloseSessionResponse", await client.request("session/close", { sessionId })));
	wrong.push(...judge("LoadSessionResponse", await client.request("session/load", { sessionId, cwd: folder, mcpServers: [] })));
	wrong.push(...judge("ResumeSessionResponse", await client.request("session/resume", { sessionId, cwd: folder, mcpServers: [] })));
	const kinds = new Set<string>();
	for (const line of client.lines) wrong.push(...judgeLine(line, kinds));
	expect(wrong).toEqual([]);
	expect([...kinds].sort()).toEqual(
		[
			...["agent_message_chunk", "agent_thought_chunk", "available_commands_update", "current_mode_update", "plan"],
			...["session_info_update", "tool_call", "tool_call_update", "usage_update", "user_message_chunk"],
			...["session/request_permission", "elicitation/create"],
		].sort(),
	);
	expect(client.text()).toContain("Answer: blue");
	expect(readFileSync(join(folder, "new.txt"), "utf8")).toBe("words");
});

test("[AT2] a killed agent resumes its session with its history, and loading replays it", async () => {
	const folder = makeFolder();
	const first = start(`home=${folder}`);
	const sessionId = await first.open();
	await first.prompt(sessionId, "say remember me");
	await first.kill();
	const second = start(`home=${folder}`);
	await second.request("session/resume", { sessionId, cwd: folder, mcpServers: [] });
	await second.prompt(sessionId, "history");
	expect(second.text()).toBe("Remembered: say remember me");
	await second.kill();
	const third = start(`home=${folder}`);
	await third.request("session/load", { sessionId, cwd: folder, mcpServers: [] });
	expect(third.text()).toBe("remember meRemembered: say remember me");
	await expect(third.request("session/resume", { sessionId: "nobody", cwd: folder })).rejects.toThrow("-32002");
});

test.each(["wait", "slow 60000", "steerable", "run sleep 600", "permit", "ask Why?"])(
	"[AT3] a stop ends %j with cancelled",
	async (command) => {
		const client = start();
		if (command.startsWith("run")) permitted(client);
		const sessionId = await client.open();
		const turn = client.prompt(sessionId, `say begun\n${command}`);
		await client.spoke("begun");
		if (command === "permit") await client.said("session/request_permission");
		client.notify("session/cancel", { sessionId });
		expect(await turn).toMatchObject({ stopReason: "cancelled" });
		if (command === "permit") expect((await client.said("$/cancel_request")).params).toEqual({ requestId: 1 });
	},
);

test("[AT3] words are put into a running turn, and refused without one", async () => {
	const client = start();
	const sessionId = await client.open();
	const steering = { sessionId, prompt: [{ type: "text", text: "left" }], _meta: { steering: { idleBehavior: "promptRequired" } } };
	expect(await client.request("_session/steering", steering)).toEqual({ outcome: "promptRequired" });
	const turn = client.prompt(sessionId, "steerable");
	expect(await client.request("_session/steering", steering)).toEqual({ outcome: "injected" });
	await turn;
	expect(client.text()).toBe("Steered: left");
});

test("[AT4] the agent calls a tool over HTTP with its token, and tells the server of a stop", async () => {
	const server = await startMcpServer();
	const client = start("tie=claude");
	await client.request("initialize", { protocolVersion: 1 });
	const headers = [{ name: "authorization", value: "Bearer secret" }];
	const mcpServers = [{ type: "http", name: "rightseat", url: server.url, headers }];
	const sessionId = String((await client.request("session/new", { cwd: "/", mcpServers })).sessionId);
	await client.prompt(sessionId, 'tools\ntool Echo {"text":"hi"}');
	expect(client.text()).toBe("Tools: Echo HangDone.");
	expect(JSON.stringify(client.lines)).toContain('"text":"{\\"text\\":\\"hi\\"}"');
	const turn = client.prompt(sessionId, "tool Hang");
	await server.called("Hang");
	client.notify("session/cancel", { sessionId });
	expect(await turn).toMatchObject({ stopReason: "cancelled" });
	await server.cancelled();
	expect(server.tokens).toEqual(new Set(["Bearer secret"]));
	await server.close();
});

test.each([
	["die", { signal: "SIGKILL" }],
	["exit 0", { code: 0 }],
	["exit 3", { code: 3 }],
	["half-line", { signal: "SIGKILL" }],
])("[AT5] %j ends the process in the middle of the turn, after what was said", async (command, how) => {
	const client = start();
	const sessionId = await client.open();
	const gone = once(client.child, "close");
	const turn = expect(client.prompt(sessionId, `say partial\n${command}`)).rejects.toThrow("gone");
	const [code, signal] = await gone;
	expect({ code, signal }).toMatchObject(how);
	await turn;
	expect(client.text()).toBe("partial");
});

test.each(["freeze", "block"])("[AT5] %j stops every answer, and the process is there", async (command) => {
	const client = start();
	const sessionId = await client.open();
	client.prompt(sessionId, `say partial\n${command}`).catch(() => undefined);
	await client.spoke("partial");
	const state = () => readFileSync(`/proc/${client.child.pid}/status`, "utf8");
	if (command === "freeze") await expect.poll(state).toContain("State:\tT");
	const before = client.lines.length;
	const ping = client.request("_x/ping", {}).then(
		() => "answered",
		() => "refused",
	);
	expect(await Promise.race([ping, new Promise((resolve) => setTimeout(resolve, 300, "silent"))])).toBe("silent");
	expect(client.lines.length).toBe(before);
	await client.kill();
});

test.each(["deaf", "no-answer"])("[AT5] %j answers a ping and no cancel", async (command) => {
	const client = start();
	const sessionId = await client.open();
	let ended = false;
	const end = () => {
		ended = true;
	};
	void client.prompt(sessionId, command).then(end, end);
	client.notify("session/cancel", { sessionId });
	await expect(client.request("_x/ping", {})).rejects.toThrow("-32601");
	await expect(client.request("_x/ping", {})).rejects.toThrow("-32601");
	expect(ended).toBe(false);
});

test("[AT5] an inner death is an error, then no session, and resuming brings it back", async () => {
	const client = start();
	const sessionId = await client.open();
	await expect(client.prompt(sessionId, "inner-death")).rejects.toThrow("-32603");
	await expect(client.prompt(sessionId, "say x")).rejects.toThrow("-32002");
	await client.request("session/resume", { sessionId, cwd: "/", mcpServers: [] });
	expect(await client.prompt(sessionId, "say x")).toMatchObject({ stopReason: "end_turn" });
});

test("[AT5] what is odd on the wire is there as told", async () => {
	const client = start();
	const sessionId = await client.open();
	permitted(client);
	await client.prompt(
		sessionId,
		["noise", "unknown-response", "odd", "surrogate", "split", "invalid-utf8", "flood 1000", "twice"].join("\n"),
	);
	expect(client.noise.some((line) => line.includes("\u001b[31m"))).toBe(true);
	await expect(client.prompt(sessionId, "fail 1001 no model")).rejects.toThrow("1001 no model");
	expect(client.lines.filter((line) => JSON.stringify(line).includes("stopReason")).length).toBe(2);
	expect(client.text()).toContain("half \ud83d heregrüße 你好 🙂�(1 2 3 ");
	expect(client.text().endsWith(" 1000 ")).toBe(true);
	expect(await client.prompt(sessionId, "null")).toBe(null);
	expect(await client.prompt(sessionId, "stop banana")).toEqual({ stopReason: "banana" });
});

test("[AT5] late and unprompted words and requests come after the response", async () => {
	const client = start();
	const sessionId = await client.open();
	client.answer("session/request_permission", () => ({ outcome: { outcome: "cancelled" } }));
	await client.prompt(sessionId, "late Title ;; unprompted Psst. ;; late-permit");
	await client.said("session/request_permission");
	await expect.poll(() => client.text()).toBe("Psst.");
	// By their lines: the response and what follows it may come in one read.
	const [response = -1, ...later] = ["stopReason", "Title", "Psst.", "session/request_permission"].map((words) =>
		client.lines.findIndex((line) => JSON.stringify(line).includes(words)),
	);
	expect([response >= 0, later.map((at) => at > response)]).toEqual([true, [true, true, true]]);
	await client.prompt(sessionId, "last");
	expect(client.text()).toContain('{"permit":"cancelled"}');
});

test.each([
	["never-initialize", "initialize"],
	["never-new", "session/new"],
])("[AT5] with %s nothing comes back", async (name, method) => {
	const client = start(name);
	void client.request(method, { cwd: "/", protocolVersion: 1 }).catch(() => undefined);
	await expect(client.request("_x/ping", {})).rejects.toThrow("-32601");
	expect(client.lines.length).toBe(1);
});

test.each([
	["protocol=7", "initialize", '"protocolVersion":7'],
	["bad-initialize", "initialize", "null"],
	["bad-new", "session/new", "{}"],
	["login", "session/new", "-32000"],
	["new-fails=broken", "session/new", "-32603 broken"],
	["resume-fails", "session/resume", "-32603"],
	["load-fails", "session/load", "-32603"],
	["no-resume", "session/resume", "-32601"],
])("[AT5] with %s the answer to %s is %s", async (name, method, answer) => {
	const client = start(name);
	const said = await client.request(method, { cwd: "/", sessionId: "x" }).then(
		(result) => JSON.stringify(result),
		(error) => String(error),
	);
	expect(said).toContain(answer);
});

test("[AT5] it may leave at once with a sentence, ignore the end of its input, and leave a child behind", async () => {
	const sentence = start("exit-sentence=No such model.");
	expect(await once(sentence.child, "exit")).toEqual([1, null]);
	const deaf = start("ignore-eof", "orphans", "noise");
	const sessionId = await deaf.open();
	await deaf.prompt(sessionId, "orphan");
	const orphans = /Orphans: (\d+) (\d+)/.exec(deaf.text())?.slice(1).map(Number) ?? [];
	deaf.child.stdin?.end();
	await deaf.kill();
	expect(orphans.map((pid) => existsSync(`/proc/${pid}`))).toEqual([true, true]);
	for (const pid of orphans) process.kill(pid, "SIGKILL");
});

test("[AT6] two processes on one session leave a note, or the second is refused", async () => {
	const folder = makeFolder();
	const first = start(`home=${folder}`);
	const sessionId = await first.open();
	const refused = start(`home=${folder}`, "in-use");
	await expect(refused.request("session/resume", { sessionId, cwd: "/" })).rejects.toThrow("-32600");
	expect(existsSync(join(folder, "two-at-once.log"))).toBe(false);
	const second = start(`home=${folder}`);
	await second.request("session/resume", { sessionId, cwd: "/" });
	expect(readFileSync(join(folder, "two-at-once.log"), "utf8")).toContain(sessionId);
});
