import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import * as z from "zod";
import { acpAgentCommand } from "../../support/acp-agent/acp-agent.ts";
import { startServer, type TestServer } from "../../support/server.ts";

const servers: TestServer[] = [];
const folders: string[] = [];

afterEach(async () => {
	await Promise.all(servers.splice(0).map((server) => server.close()));
	for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const agentsWith = (...command: string[]) => ({ RIGHTSEAT_AGENTS: JSON.stringify([{ id: "scripted", name: "Scripted", command }]) });

async function start(): Promise<{ server: TestServer; sessions: string }> {
	const sessions = mkdtempSync(join(tmpdir(), "acp-sessions-"));
	folders.push(sessions);
	const server = await startServer({ env: agentsWith(...acpAgentCommand(`home=${sessions}`)) });
	servers.push(server);
	return { server, sessions };
}

/** Killed without a warning, and started again with these agents. */
async function restart(server: TestServer, env: NodeJS.ProcessEnv): Promise<TestServer> {
	const next = await server.restart(env);
	servers.splice(servers.indexOf(server), 1, next);
	return next;
}

const begun = z.object({
	conversation: z.object({ id: z.string(), agent: z.string(), sdkSessionId: z.nullable(z.string()), title: z.string() }),
});

async function begin(server: TestServer): Promise<string> {
	const response = await server.api("/api/conversations", { method: "POST", json: { agent: "scripted" } });
	return begun.parse(await response.json()).conversation.id;
}
async function conversation(server: TestServer, id: string) {
	return begun.parse(await (await server.api(`/api/conversations/${id}`)).json()).conversation;
}

/** Sends a prompt and gives every frame up to the end of its turn. */
async function turn(server: TestServer, id: string, prompt: string) {
	const ws = await server.ws({ timeoutMs: 60_000 });
	ws.send({ type: "copilot:send", data: { conversationId: id, prompt } });
	const { data } = await ws.waitFor("copilot:idle");
	const frames = [...ws.frames];
	await ws.close();
	const text = frames.flatMap((frame) => (frame.type === "copilot:delta" ? [frame.data.content] : [])).join("");
	const notices = frames.flatMap((frame) => (frame.type === "copilot:notice" ? [frame.data.code] : []));
	const errors = frames.flatMap((frame) => (frame.type === "copilot:error" ? [frame.data.code] : []));
	return { outcome: data.outcome, text, notices, errors, types: frames.map(({ type }) => type) };
}

test("[AG30] plan, changes and title of an ACP agent reach readers and the export, and its history is there after the server was killed", async () => {
	const { server, sessions } = await start();
	const id = await begin(server);
	const first = await turn(server, id, "plan *Look, >Mend, Test\nedit note.txt hello\ntitle Mending the clock\nsay Done.");
	expect(first).toMatchObject({ outcome: "completed", text: expect.stringContaining("Done.") });
	expect(first.types).toEqual(expect.arrayContaining(["copilot:plan", "copilot:tool_diff", "conversation:updated"]));
	const { sdkSessionId, ...rest } = await conversation(server, id);
	expect(rest).toMatchObject({ agent: "scripted", title: "Mending the clock" });
	expect(sdkSessionId).not.toBe(id);
	const markdown = await (await server.api(`/api/conversations/${id}/export`)).text();
	expect(markdown).toContain("Agent: scripted");
	expect(markdown).toContain("- [x] Look\n- [ ] Mend _(in progress)_\n- [ ] Test");
	expect(markdown).toMatch(/\+\+\+ .*note\.txt/);

	const next = await restart(server, agentsWith(...acpAgentCommand(`home=${sessions}`)));
	const second = await turn(next, id, "history");
	expect(second).toMatchObject({ outcome: "completed", text: expect.stringMatching(/Remembered: .*plan \*Look/s), notices: [] });
	expect((await conversation(next, id)).sdkSessionId).toBe(sdkSessionId);
});

test("[AG30] an ACP agent that lost its history is given the messages again, and one that is gone from the configuration is named", async () => {
	const { server, sessions } = await start();
	const id = await begin(server);
	await turn(server, id, "say The tide is high at noon.");
	const empty = mkdtempSync(join(tmpdir(), "acp-sessions-"));
	folders.push(empty);
	const forgetful = await restart(server, agentsWith(...acpAgentCommand(`home=${empty}`)));
	const told = await turn(forgetful, id, "prompt");
	expect(told.notices).toContain("history-lost");
	expect(told.text).toContain("The tide is high at noon.");
	const without = await restart(forgetful, { RIGHTSEAT_AGENTS: "[]" });
	expect(await turn(without, id, "say hello")).toMatchObject({ outcome: "error", errors: ["unknown-agent"] });
	expect(await (await without.api(`/api/conversations/${id}/export`)).text()).toContain("The tide is high at noon.");
	const back = await restart(without, agentsWith(...acpAgentCommand(`home=${sessions}`)));
	expect(await turn(back, id, "say Back again.")).toMatchObject({ outcome: "completed" });
});

test("[AC320] an answer that was cut or refused is completed, and says so live, in its stored message and in the export", async () => {
	const { server } = await start();
	const id = await begin(server);
	const cut = await turn(server, id, "say Half an\nstop max_tokens");
	expect(cut).toMatchObject({ outcome: "completed", notices: ["answer-cut"], errors: [] });
	const refused = await turn(server, id, "stop refusal");
	expect(refused).toMatchObject({ outcome: "completed", text: "", notices: ["answer-cut"], errors: [] });
	const { messages } = await (await server.api(`/api/conversations/${id}/messages`)).json();
	const stored = messages.filter(({ role }: { role: string }) => role === "assistant");
	expect(stored.map(({ metadata }: { metadata: unknown }) => metadata)).toMatchObject([
		{ outcome: "completed", notices: [{ code: "answer-cut", params: { reason: "max-tokens", name: "Scripted" } }] },
		{ outcome: "completed", notices: [{ code: "answer-cut", params: { reason: "refusal" } }] },
	]);
	expect(await (await server.api(`/api/conversations/${id}/export`)).text()).toContain("Scripted refused to go on with this.");
});

test("[AG400] a server that is killed before the first turn of a continued session says in that turn that the past is not shown, once", async () => {
	const { server, sessions } = await start();
	const first = await begin(server);
	await turn(server, first, "say An earlier word.");
	const { sdkSessionId } = await conversation(server, first);
	expect((await server.api(`/api/conversations/${first}`, { method: "DELETE" })).status).toBe(204);
	const response = await server.api("/api/conversations", { method: "POST", json: { agent: "scripted", sessionId: sdkSessionId } });
	expect(response.status).toBe(201);
	const { id } = begun.parse(await response.json()).conversation;
	const next = await restart(server, agentsWith(...acpAgentCommand(`home=${sessions}`)));
	expect(await turn(next, id, "history")).toMatchObject({
		text: expect.stringContaining("Remembered: say An earlier word."),
		notices: ["session-continued"],
	});
	expect((await turn(next, id, "say Again.")).notices).toEqual([]);
});

test("[AG401] modes and efforts of an agent are known to a server that was killed, and a conversation begins with them", async () => {
	const { server, sessions } = await start();
	const offered = async (of: TestServer) => {
		const { agents } = z.object({ agents: z.array(z.looseObject({ id: z.string() })) }).parse(await (await of.api("/api/agents")).json());
		return agents.find(({ id }) => id === "scripted")?.modes;
	};
	expect(await offered(server)).toBeUndefined();
	const first = await begin(server);
	await turn(server, first, "say Hello.");
	const modes = await offered(server);
	expect(modes).toEqual([
		{ id: "agent", name: "Agent" },
		{ id: "plan", name: "Plan only" },
	]);
	const next = await restart(server, agentsWith(...acpAgentCommand(`home=${sessions}`)));
	expect(await offered(next)).toEqual(modes);
	const response = await next.api("/api/conversations", { method: "POST", json: { agent: "scripted", mode: "plan" } });
	const { id } = begun.parse(await response.json()).conversation;
	expect((await turn(next, id, "options")).text).toContain('"mode":"plan"');
});
