import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ModelRequest, type ScriptedModel, startScriptedModel } from "../../support/scripted-model.ts";
import { createGate, text, toolCall, waitFor } from "../../support/scripted-model-steps.ts";
import { startServer, type TestServer } from "../../support/server.ts";

let model: ScriptedModel;
let server: TestServer;

beforeAll(async () => {
	model = await startScriptedModel();
	model.default((request) => [text(`Answer to ${said(request).at(-1)}.`)]);
	server = await startServer({ env: { RIGHTSEAT_PROVIDER_URL: model.url } });
});
afterAll(async () => {
	await server.close();
	await model.close();
});

/** What people and the agent said in this request, without what the runtime puts around it. */
function said({ body }: ModelRequest): string[] {
	return body.messages.flatMap(({ role, content }) => {
		if (role !== "user" && role !== "assistant") return [];
		const whole = typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("");
		const own = whole.replace(/<(current_datetime|reminder|tagged_files|system_reminder|attachment)\b[^>]*>[\s\S]*?<\/\1>/g, "").trim();
		return own === "" ? [] : [own];
	});
}
async function post(path: string, json: unknown, status: number) {
	const response = await server.api(path, { method: "POST", json });
	const body = await response.json();
	expect([response.status, body]).toEqual([status, body]);
	return body;
}
const messages = async (
	id: string,
): Promise<{ id: string; content: string; metadata: { origin?: string; attachments?: { id: string }[] } }[]> =>
	(await (await server.api(`/api/conversations/${id}/messages`)).json()).messages;
const contents = async (id: string) => (await messages(id)).map(({ content }) => content);

/** Follows a conversation and resolves with what the model was sent for this prompt when its turn is over. */
async function ask(id: string, send: () => Promise<unknown>): Promise<ModelRequest | undefined> {
	const client = await server.ws();
	client.send({ type: "copilot:subscribe", data: { conversationId: id } });
	await client.waitFor("copilot:stream-status");
	await send();
	await client.waitFor("copilot:idle", (frame) => frame.data.conversationId === id, { timeoutMs: 30_000 });
	client.terminate();
	return model.requests.at(-1);
}
const prompt = (id: string, words: string, more: object = {}) =>
	ask(id, () => post(`/api/conversations/${id}/messages`, { prompt: words, ...more }, 202));
const history = (id: string) =>
	createHash("sha256")
		.update(readFileSync(join(server.home, "agent/session-state", id, "events.jsonl")))
		.digest("hex");

test("[FK20] with the real runtime the model is sent what was said before the cut and nothing after it; the source stays whole, loaded or not", async () => {
	const { conversation } = await post("/api/conversations", {}, 201);
	const id = conversation.id;
	const upload = await server.api("/api/attachments?name=notes.txt", {
		method: "POST",
		body: "some notes",
		headers: { "content-type": "text/plain" },
	});
	const { attachment } = await upload.json();
	await prompt(id, "First", { attachments: [attachment.id] });
	model.reply(toolCall("Bash", { command: "echo from a tool" }));
	await prompt(id, "Second");
	await prompt(id, "Third");
	const before = { history: history(id), messages: await messages(id) };
	const second = before.messages.find(({ content }) => content === "Second");

	const { conversation: fork } = await post(`/api/conversations/${id}/fork`, { beforeMessageId: second?.id }, 201);
	expect(fork.forkedFrom).toEqual({ conversationId: id, messageId: second?.id });
	const copied = await messages(fork.id);
	expect(copied.map(({ content }) => content)).toEqual(["First", "Answer to First."]);
	const file = copied[0]?.metadata.attachments?.[0]?.id;
	expect(file).not.toBe(attachment.id);
	expect(await (await server.api(`/api/attachments/${file}`)).text()).toBe("some notes");
	const sent = await prompt(fork.id, "Second, edited");
	expect(sent && said(sent)).toEqual(["First", "Answer to First.", "Second, edited"]);
	expect({ history: history(id), messages: await messages(id) }).toEqual(before);

	// Not loaded in the runtime any more: a fork of the runtime's own would destroy it there.
	server = await server.restart();
	const beforeStart = history(id);
	const { conversation: whole } = await post(`/api/conversations/${id}/fork`, {}, 201);
	expect(history(id)).toBe(beforeStart);
	const all = await prompt(whole.id, "Fourth, elsewhere");
	expect(all && said(all)).toEqual([
		"First",
		"Answer to First.",
		"Second",
		"Answer to Second.",
		"Third",
		"Answer to Third.",
		"Fourth, elsewhere",
	]);
	expect(all?.body.messages.some(({ role, content }) => role === "tool" && JSON.stringify(content).includes("from a tool"))).toBe(true);
	const goesOn = await prompt(id, "Fourth");
	expect(goesOn && said(goesOn)).toEqual([
		"First",
		"Answer to First.",
		"Second",
		"Answer to Second.",
		"Third",
		"Answer to Third.",
		"Fourth",
	]);
	const { conversations } = await (await server.api(`/api/conversations/${id}/forks`)).json();
	expect(conversations.map((found: { id: string }) => found.id)).toEqual([fork.id, whole.id]);
}, 60_000);

test("[SR2] the file can be looked at before it is saved, where it can run nothing", async () => {
	const { conversation } = await post("/api/conversations", {}, 201);
	await prompt(conversation.id, "<script>alert(1)</script>");
	const address = `/api/conversations/${conversation.id}/export?format=html`;
	const [saved, shown] = await Promise.all([server.api(address), server.api(`${address}&preview=1&lang=zh-Hant`)]);
	expect(saved.headers.get("content-disposition")).toMatch(/^attachment; filename="conversation\.html"/);
	expect(shown.headers.get("content-disposition")).toMatch(/^inline/);
	expect(shown.headers.get("content-security-policy")).toMatch(/^default-src 'none'.*sandbox/);
	expect([await saved.text(), await shown.text()]).toEqual([
		expect.stringContaining("&lt;script&gt;"),
		expect.stringContaining("<h2>使用者 "),
	]);
});

test("[SR10] a guest sees that conversation with the answer that is being written, and the link opens nothing else", async () => {
	const { conversation } = await post("/api/conversations", {}, 201);
	const id = conversation.id;
	await post("/api/conversations", { title: "Another one" }, 201);
	const { share, path } = await post(`/api/conversations/${id}/shares`, { hours: 1 }, 201);
	const gate = createGate();
	model.reply(text("Live words "), waitFor(gate), text("and more."));
	const running = prompt(id, "Watch this");
	const guest = () => fetch(`${server.url}${path}`);
	await expect.poll(async () => (await guest()).text(), { timeout: 20_000 }).toContain("Live words");
	const page = await guest();
	expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'unsafe-inline'/);
	expect(page.headers.get("set-cookie")).toBeNull();
	const html = await page.text();
	expect(html).toContain('<meta http-equiv="refresh" content="2">');
	expect(html).not.toMatch(/<script|Another one/);
	gate.open();
	await running;
	const token = path.replace("/watch/", "");
	const asked = await Promise.all([
		fetch(`${server.url}/api/conversations/${id}`, { headers: { authorization: `Bearer ${token}` } }),
		fetch(`${server.url}/api/conversations/${id}`, { headers: { cookie: `rightseat=${token}` } }),
		fetch(`${server.url}${path}`, { method: "POST" }),
	]);
	expect(asked.map(({ status }) => status)).toEqual([401, 401, 401]);
	expect((await server.api(`/api/shares/${share.id}`, { method: "DELETE" })).status).toBe(204);
	expect((await guest()).status).toBe(404);
	const { entries } = await (await server.api("/api/audit")).json();
	expect(entries.filter((entry: { kind: string }) => entry.kind === "share")).toHaveLength(2);
}, 60_000);

test("[FK21] [FK34] while the source answers, its fork ends before that answer, goes on at once, and neither disturbs the other", async () => {
	const { conversation } = await post("/api/conversations", {}, 201);
	const id = conversation.id;
	await prompt(id, "Alpha");
	const gate = createGate();
	model.reply(text("Half of "), waitFor(gate), text("Beta."));
	const running = prompt(id, "Beta");
	const client = await server.ws();
	client.send({ type: "copilot:subscribe", data: { conversationId: id } });
	await client.waitFor("copilot:snapshot", (frame) => frame.data.conversationId === id);
	await client.waitFor("copilot:delta", (frame) => frame.data.conversationId === id).catch(() => undefined);
	const at = model.requests.length;
	const { conversation: fork } = await post(`/api/conversations/${id}/fork`, { prompt: "Gamma", clientMessageId: "once" }, 201);
	await post(`/api/conversations/${id}/fork`, { prompt: "Gamma", clientMessageId: "once" }, 201);
	const sent = await model.request(at + 1);
	expect(said(sent)).toEqual([
		"Alpha",
		"Answer to Alpha.",
		"[Before this message, and not answered yet:]\nPerson: Beta\n[The message of now:]\n\nGamma",
	]);
	gate.open();
	await running;
	client.terminate();
	expect(await contents(id)).toEqual(["Alpha", "Answer to Alpha.", "Beta", "Half of Beta."]);
	await expect.poll(() => contents(fork.id), { timeout: 20_000 }).toHaveLength(5);
	expect((await contents(fork.id)).slice(0, 4)).toEqual(["Alpha", "Answer to Alpha.", "Beta", "Gamma"]);
	expect((await messages(fork.id))[3]?.metadata.origin).toBe("api");
}, 60_000);
