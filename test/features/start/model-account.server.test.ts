import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ACCEPTED_TOKEN, type FakeGitHub, startFakeGitHub } from "../../support/fake-github.ts";
import { type ScriptedModel, startScriptedModel } from "../../support/scripted-model.ts";
import { text } from "../../support/scripted-model-steps.ts";
import { startServer, type TestServer } from "../../support/server.ts";

const KEY = "sk-the-key-of-a-person-2931";
let model: ScriptedModel;
let github: FakeGitHub;
let server: TestServer;
/** First on the server's `PATH`. */
let programs: string;
beforeAll(async () => {
	model = await startScriptedModel({ models: ["own-model"], key: KEY });
	github = await startFakeGitHub();
	programs = mkdtempSync(join(tmpdir(), "rightseat-gh-"));
	server = await startServer({ env: { ...github.env, PATH: `${programs}:${process.env.PATH}` } });
});
afterAll(async () => {
	await server?.close();
	await github?.close();
	await model?.close();
	rmSync(programs, { recursive: true, force: true });
});

async function call(path: string, method = "GET", json?: unknown): Promise<{ status: number; body: unknown }> {
	const response = await server.api(path, { method, ...(json === undefined ? {} : { json }) });
	return { status: response.status, body: await response.json() };
}

/** Says something, and gives the text that came back. */
async function say(conversationId: string, prompt: string): Promise<string> {
	const client = await server.ws();
	client.send({ type: "copilot:send", data: { conversationId, prompt, clientMessageId: prompt } });
	await client.waitFor("copilot:idle");
	await client.close();
	const { messages }: { messages: { content: string }[] } = await (
		await server.api(`/api/conversations/${conversationId}/messages`)
	).json();
	return messages.at(-1)?.content ?? "";
}

async function begin(): Promise<{ id: string; model: string }> {
	const { conversation }: { conversation: { id: string; model: string } } = await (
		await server.api("/api/conversations", { method: "POST", json: {} })
	).json();
	return conversation;
}

test("[PG785] a model that is connected on the page answers from the next prompt on, in old and new conversations and after a restart; its key is shown nowhere", async () => {
	const old = await begin();
	expect(old.model).toBe("demo-pilot");
	await say(old.id, "Hello");
	expect(model.requests).toHaveLength(0);

	const wrong = await call("/api/model-account", "PUT", { kind: "own", url: model.url, key: "another-key" });
	expect(wrong).toMatchObject({ status: 502, body: { error: { code: "provider-auth", params: { reason: "typed-key", status: 401 } } } });
	expect(await call("/api/model-account", "PUT", { kind: "own", url: "http://127.0.0.1:9/v1" })).toMatchObject({
		status: 502,
		body: { error: { code: "provider-unreachable", params: { reason: "typed-address" } } },
	});
	expect((await call("/api/model-account")).body).toEqual({ account: { kind: "demo", from: "nothing", hasKey: false } });

	const account = { kind: "own", from: "page", type: "openai", url: model.url, hasKey: true };
	expect(await call("/api/model-account", "PUT", { kind: "own", url: `${model.url}/`, key: KEY })).toEqual({
		status: 200,
		body: { account },
	});
	expect((await call("/api/status")).body).toMatchObject({ provider: "byok", demo: false });
	expect((await call("/api/copilot/models")).body).toMatchObject({ models: [{ id: "own-model" }], default: "own-model" });
	model.reply(text("From the new one."));
	expect(await say(old.id, "And now?")).toBe("From the new one.");
	expect((await call(`/api/conversations/${old.id}`)).body).toMatchObject({ conversation: { model: "own-model" } });

	server = await server.restart();
	expect((await call("/api/model-account")).body).toEqual({ account });
	const next = await begin();
	model.reply(text("Still here."));
	expect([next.model, await say(next.id, "After a restart?")]).toEqual(["own-model", "Still here."]);
	expect(await say(next.id, `Is ${KEY} a secret?`)).not.toContain(KEY);

	const audit = await call("/api/audit");
	expect(audit.body).toMatchObject({
		entries: expect.arrayContaining([expect.objectContaining({ kind: "model-account", detail: `openai ${model.url}` })]),
	});
	expect(JSON.stringify([audit, await call("/api/settings"), await call("/api/status")]) + server.log() + server.output()).not.toContain(
		KEY,
	);
	expect(statSync(join(server.home, "model.json")).mode & 0o777).toBe(0o600);
	expect(readFileSync(join(server.home, "model.json"), "utf8")).toContain(KEY);

	expect((await call("/api/model-account", "DELETE")).body).toEqual({ account: { kind: "demo", from: "nothing", hasKey: false } });
	expect((await begin()).model).toBe("demo-pilot");
});

test("[PG782] a token that GitHub does not accept changes nothing; one that it accepts brings Copilot's own models", async () => {
	const connect = (token: string) => call("/api/model-account", "PUT", { kind: "copilot", token });
	const refused = await connect("gho_nobody_knows_this_one");
	expect(refused).toMatchObject({ status: 502, body: { error: { code: "provider-auth", params: { reason: "typed-token" } } } });
	expect((await call("/api/model-account")).body).toMatchObject({ account: { kind: "demo" } });
	expect(await connect(ACCEPTED_TOKEN)).toEqual({ status: 200, body: { account: { kind: "copilot", from: "page", hasKey: true } } });
	expect(JSON.stringify((await call("/api/copilot/models")).body)).toContain("copilot-one");
	expect(JSON.stringify(refused) + server.log()).not.toContain("gho_nobody");
});

test("[AN6] the login of gh brings Copilot's own models, also with the token that it has after a restart, and the token is in no file", async () => {
	const put = (script: string) => writeFileSync(join(programs, "gh"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
	const logIn = (token: string) => put(`[ "$1" = auth ] && echo ${token}`);
	put("exit 1");
	expect((await call("/api/model-account/login")).body).toEqual({ available: false, host: "github.com" });
	const before = (await call("/api/model-account")).body;
	const none = await call("/api/model-account", "PUT", { kind: "gh" });
	expect(none).toMatchObject({ status: 502, body: { error: { code: "provider-auth", params: { reason: "no-gh-login" } } } });
	logIn("gho_nobody_knows_this_one");
	expect((await call("/api/model-account", "PUT", { kind: "gh" })).status).toBe(502);
	expect((await call("/api/model-account")).body).toEqual(before);
	logIn(ACCEPTED_TOKEN);
	const account = { kind: "copilot", from: "page", hasKey: true, login: "gh" };
	expect(await call("/api/model-account", "PUT", { kind: "gh" })).toEqual({ status: 200, body: { account } });
	expect(readFileSync(join(server.home, "model.json"), "utf8")).toBe('{"kind":"gh"}\n');
	server = await server.restart();
	expect((await call("/api/model-account")).body).toEqual({ account });
	expect(JSON.stringify((await call("/api/copilot/models")).body)).toContain("copilot-one");
	expect(server.log() + server.output()).not.toContain(ACCEPTED_TOKEN);
});
