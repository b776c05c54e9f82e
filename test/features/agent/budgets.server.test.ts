import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ScriptedModel, startScriptedModel } from "../../support/scripted-model.ts";
import { text, toolCall, usage } from "../../support/scripted-model-steps.ts";
import { startServer, type TestServer } from "../../support/server.ts";
import type { WsClient } from "../../support/ws-client.ts";

let model: ScriptedModel;
let server: TestServer;
let id: string;
beforeAll(async () => {
	model = await startScriptedModel();
	server = await startServer({ env: { RIGHTSEAT_PROVIDER_URL: model.url, RIGHTSEAT_PROVIDER_KEY: "test-key-1234" } });
	id = (await (await server.api("/api/conversations", { method: "POST", json: {} })).json()).conversation.id;
});
afterAll(async () => {
	await server.close();
	await model.close();
});

const get = async (path: string) => (await server.api(path)).json();
const put = (path: string, method: string, json: unknown) => server.api(path, { method, json });
async function follow(): Promise<WsClient> {
	const client = await server.ws();
	client.send({ type: "copilot:subscribe", data: { conversationId: id } });
	return client;
}
const say = (client: WsClient, prompt: string) => client.send({ type: "copilot:send", data: { conversationId: id, prompt } });

test("[US40] usage and budgets answer as the contract says, and refuse what is no limit, no day and no row", async () => {
	expect(await get("/api/usage?by=model")).toEqual({ rows: [] });
	expect(await get("/api/budget")).toEqual({});
	expect(await (await put("/api/budget", "PUT", { tokensPerDay: 5_000, costPerDay: 1.5 })).json()).toEqual({
		tokensPerDay: 5_000,
		costPerDay: 1.5,
	});
	expect(await get("/api/budget")).toEqual({ tokensPerDay: 5_000, costPerDay: 1.5 });
	expect(await (await put("/api/budget", "PUT", {})).json()).toEqual({});
	const patched = await put(`/api/conversations/${id}`, "PATCH", { budget: { tokens: 100 } });
	expect((await patched.json()).conversation.budget).toEqual({ tokens: 100 });
	const refused = await Promise.all([
		put("/api/budget", "PUT", { tokensPerDay: -1 }),
		put("/api/budget", "PUT", { costPerDay: "5" }),
		put(`/api/conversations/${id}`, "PATCH", { budget: { tokens: 1.5 } }),
		server.api("/api/usage?by=planet"),
		server.api("/api/usage?from=2026-02-31T25:00:00Z"),
		server.api("/api/usage?to=yesterday"),
	]);
	expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400]);
	expect((await get(`/api/conversations/${id}`)).conversation.budget).toEqual({ tokens: 100 });
});

test("[US41] [US7] with the real runtime a turn waits at its limit between two model calls, and a kill changes no count", async () => {
	model.reply(toolCall("Bash", { command: "echo ran > ran.txt" }), usage(90, 20));
	model.reply(text("Done."), usage(30, 3));
	const client = await follow();
	say(client, "Go");
	const asked = await client.waitFor("copilot:budget_request");
	expect(asked.data).toMatchObject({ used: 110, limit: 100, scope: "conversation", unit: "tokens" });
	expect(await get("/api/inbox")).toMatchObject({ items: [{ kind: "budget", conversationId: id, budget: { used: 110 } }] });
	expect([model.requests.length, existsSync(join(server.workdir, "ran.txt"))]).toEqual([1, false]);
	client.send({ type: "copilot:budget_response", data: { requestId: asked.data.requestId, decision: "once" } });
	await client.waitFor("copilot:idle", ({ data }) => data.outcome === "completed");
	expect([model.requests.length, existsSync(join(server.workdir, "ran.txt"))]).toEqual([2, true]);
	say(client, "And again");
	await client.waitFor("copilot:budget_request", ({ data }) => data.used === 143);
	client.terminate();
	const before = await get("/api/usage?by=model");
	expect(before).toEqual({ rows: [{ key: "scripted-model", inputTokens: 120, outputTokens: 23 }] });

	server = await server.restart();
	expect(await get("/api/usage?by=model")).toEqual(before);
	const again = await follow();
	await again.waitFor("copilot:snapshot");
	say(again, "And now?");
	const waiting = await again.waitFor("copilot:budget_request");
	expect(model.requests).toHaveLength(2);
	// Once for the agent, once for its helper, once for the agent again.
	model.reply(toolCall("task", { agent_type: "general-purpose", name: "helper", description: "d", prompt: "Look." }), usage(10, 1));
	model.reply(text("Looked."), usage(200, 2));
	model.reply(text("Now."), usage(3_000, 3));
	await put(`/api/conversations/${id}`, "PATCH", { budget: { tokens: 100_000 } });
	const freed = await again.waitFor("copilot:budget_resolved");
	expect(freed.data).toMatchObject({ requestId: waiting.data.requestId, decision: "raise", limit: 100_000 });
	await again.waitFor("copilot:idle", ({ data }) => data.outcome === "completed");
	expect(await get(`/api/usage?by=conversation&conversation=${id}`)).toMatchObject({
		rows: [{ key: id, inputTokens: 3_330, outputTokens: 29, title: "Go" }],
	});
	again.terminate();
});
