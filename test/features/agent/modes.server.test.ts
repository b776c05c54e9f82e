import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ScriptedModel, startScriptedModel } from "../../support/scripted-model.ts";
import { text, toolCall } from "../../support/scripted-model-steps.ts";
import { startServer, type TestServer } from "../../support/server.ts";
import type { WsClient } from "../../support/ws-client.ts";

let model: ScriptedModel;
let server: TestServer;
let id: string;
beforeAll(async () => {
	model = await startScriptedModel();
	server = await startServer({ env: { RIGHTSEAT_PROVIDER_URL: model.url, RIGHTSEAT_PROVIDER_KEY: "test-key-1234" } });
});
afterAll(async () => {
	await server.close();
	await model.close();
});

const conversation = async () => (await (await server.api(`/api/conversations/${id}`)).json()).conversation;
const patch = (json: object) => server.api(`/api/conversations/${id}`, { method: "PATCH", json });
async function follow(): Promise<WsClient> {
	const client = await server.ws();
	client.send({ type: "copilot:subscribe", data: { conversationId: id } });
	return client;
}
const say = (client: WsClient, prompt: string) => client.send({ type: "copilot:send", data: { conversationId: id, prompt } });
const lastOf = (n: number) => model.request(n).then(({ body }) => JSON.stringify(body.messages.slice(-4)));

test("[MD33] [MD10] in plan mode the real runtime asks before a command changes something, comes with its plan, and follows what becomes of it", async () => {
	const made = await server.api("/api/conversations", { method: "POST", json: { mode: "plan", effort: "high" } });
	({ id } = (await made.json()).conversation);
	expect(await conversation()).toMatchObject({ mode: "plan", effort: "high", permissions: "auto" });
	expect((await patch({ mode: "allow-all" })).status).toBe(400);
	const { agents } = await (await server.api("/api/agents")).json();
	expect(agents[0]).toMatchObject({ id: "copilot", modes: [{ id: "agent" }, { id: "plan" }, { id: "autopilot" }] });
	const [client, other] = [await follow(), await follow()];
	model.reply(toolCall("Bash", { command: "touch early.txt" }));
	model.reply(toolCall("exit_plan_mode", { summary: "Make a file" }));
	model.reply(toolCall("exit_plan_mode", { summary: "Make a better file" }));
	model.reply(toolCall("Bash", { command: "touch made.txt" }));
	model.reply(text("Made."));
	say(client, "Make a file");
	const permission = await client.waitFor("copilot:permission_request");
	expect(permission.data).toMatchObject({ toolName: "Bash", detail: "touch early.txt" });
	const { requestId } = permission.data;
	client.send({ type: "copilot:permission_response", data: { conversationId: id, requestId, decision: "reject" } });

	const first = await other.waitFor("copilot:plan_request");
	expect(first.data).toMatchObject({ summary: "Make a file", plan: "", actions: ["autopilot", "interactive", "exit_only"] });
	other.send({ type: "copilot:plan_response", data: { requestId: first.data.requestId, approved: false, feedback: "Name it made.txt" } });
	const second = await client.waitFor("copilot:plan_request", ({ data }) => data.summary === "Make a better file");
	expect(await lastOf(3)).toContain("Name it made.txt");
	expect((await model.request(3)).body.reasoning_effort).toBe("high");
	expect(existsSync(join(server.workdir, "early.txt"))).toBe(false);

	const response = { conversationId: id, requestId: second.data.requestId };
	client.send({
		type: "copilot:plan_response",
		requestId: "a",
		data: { ...response, approved: true, action: "interactive", plan: "# Edited" },
	});
	other.send({ type: "copilot:plan_response", requestId: "b", data: { ...response, approved: false } });
	const [resolved, late] = await Promise.all([
		other.waitFor("copilot:plan_resolved", ({ data }) => data.requestId === response.requestId),
		other.waitFor("error"),
	]);
	expect([resolved.data, late.data.code]).toMatchObject([{ approved: true, action: "interactive", plan: "# Edited" }, "request-not-found"]);
	await client.waitFor("copilot:idle", ({ data }) => data.outcome === "completed");
	expect(await lastOf(4)).toMatch(/Plan approved.*# Edited/);
	expect(await lastOf(4)).not.toContain("[[PLAN]] I changed");
	expect(existsSync(join(server.workdir, "made.txt"))).toBe(true);
	expect(await conversation()).toMatchObject({ mode: "agent", effort: "high" });
	const { messages } = await (await server.api(`/api/conversations/${id}/messages`)).json();
	expect(messages.at(-1).metadata.asks).toMatchObject([
		{ kind: "permission" },
		{ kind: "plan", approved: false, answer: "Name it made.txt" },
		{ kind: "plan", approved: true, answer: "interactive", plan: "# Edited" },
	]);
});

test("[MD33] [MD3] a kill while a plan waits loses neither mode nor effort, and on autopilot a conversation that asks still asks", async () => {
	await patch({ mode: "plan" });
	model.reply(toolCall("exit_plan_mode", { summary: "Third" }));
	const client = await follow();
	say(client, "Once more");
	await client.waitFor("copilot:plan_request", ({ data }) => data.summary === "Third");
	client.terminate();
	server = await server.restart();
	expect(await conversation()).toMatchObject({ mode: "plan", effort: "high", asking: false, status: "error" });
	expect((await patch({ permissions: "ask", effort: "" })).status).toBe(200);

	const calls = model.requests.length;
	model.reply(toolCall("exit_plan_mode", { summary: "Fourth" }));
	model.reply(text("I will."));
	model.reply(toolCall("Bash", { command: "touch piloted.txt" }));
	model.reply(toolCall("task_complete", { summary: "The file is there." }));
	const again = await follow();
	say(again, "And now");
	const plan = await again.waitFor("copilot:plan_request", ({ data }) => data.summary === "Fourth");
	again.send({ type: "copilot:plan_response", data: { requestId: plan.data.requestId, approved: true, action: "autopilot" } });
	const permission = await again.waitFor("copilot:permission_request", ({ data }) => data.detail === "touch piloted.txt");
	again.send({
		type: "copilot:permission_response",
		data: { conversationId: id, requestId: permission.data.requestId, decision: "approve-once" },
	});
	await again.waitFor("copilot:idle", ({ data }) => data.outcome === "completed");
	expect(await conversation()).toMatchObject({ mode: "autopilot", effort: "", permissions: "ask" });
	expect((await model.request(calls + 1)).body.reasoning_effort).toBeUndefined();
	const { messages } = await (await server.api(`/api/conversations/${id}/messages`)).json();
	expect(messages.at(-1)).toMatchObject({ content: "I will.\n\nThe file is there.", metadata: { outcome: "completed" } });
	expect(model.unused).toBe(0);
});

test("[RP42] with the real runtime too, what was allowed for good runs unasked from the next call on, of a sub-agent as well", async () => {
	const made = await server.api("/api/conversations", { method: "POST", json: { permissions: "ask" } });
	({ id } = (await made.json()).conversation);
	const client = await follow();
	model.reply(toolCall("Bash", { command: "ls -a" }));
	model.reply(toolCall("Bash", { command: "ls -l", run_in_background: true }));
	model.reply(toolCall("task", { agent_type: "task", description: "Look", prompt: "Look around", name: "look" }));
	model.reply(toolCall("Bash", { command: "ls -1" }));
	model.reply(text("Seen."));
	model.reply(text("Done."));
	say(client, "Look around");
	const asked = await client.waitFor("copilot:permission_request");
	expect(asked.data.remember).toEqual([{ text: "ls", folder: server.workdir, exact: false, writes: false }]);
	const { requestId } = asked.data;
	client.send({ type: "copilot:permission_response", data: { conversationId: id, requestId, decision: "approve-once", remember: true } });
	await client.waitFor("copilot:idle", ({ data }) => data.outcome === "completed");
	const { messages } = await (await server.api(`/api/conversations/${id}/messages`)).json();
	const { tools, asks } = messages.at(-1).metadata;
	expect(asks).toMatchObject([{ kind: "permission", answer: "approve-always" }]);
	const ran = tools.filter(({ toolName }: { toolName: string }) => toolName === "Bash");
	expect(
		ran.map((tool: { arguments: { command: string }; allowedBy?: object[] }) => [tool.arguments.command, tool.allowedBy?.length]),
	).toEqual([
		["ls -a", undefined],
		["ls -l", 1],
		["ls -1", 1],
	]);
	const { folders } = await (await server.api("/api/permissions")).json();
	expect((await server.api(`/api/permissions/${folders[0].rules[0].id}`, { method: "DELETE" })).status).toBe(204);
	expect(await (await server.api("/api/permissions")).json()).toEqual({ folders: [] });
	expect(model.unused).toBe(0);
});
