import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { acpAgentCommand } from "../../support/acp-agent/acp-agent.ts";
import { startServer, type TestServer } from "../../support/server.ts";

/** What people have with Copilot they have with an agent over ACP. */
let server: TestServer;
let sessions: string;
beforeAll(async () => {
	sessions = mkdtempSync(join(tmpdir(), "acp-sessions-"));
	const agents = [{ id: "scripted", name: "Scripted", command: acpAgentCommand(`home=${sessions}`) }];
	server = await startServer({ env: { RIGHTSEAT_AGENTS: JSON.stringify(agents) } });
});
afterAll(async () => {
	await server.close();
	rmSync(sessions, { recursive: true, force: true });
});

async function begin(permissions: "auto" | "ask" = "auto") {
	const response = await server.api("/api/conversations", { method: "POST", json: { agent: "scripted", permissions } });
	const { conversation } = z.object({ conversation: z.object({ id: z.string() }) }).parse(await response.json());
	const conversationId = conversation.id;
	const ws = await server.ws({ timeoutMs: 60_000 });
	onTestFinished(() => ws.close());
	const send = (prompt: string, more: { attachments?: string[]; mode?: "immediate" } = {}) =>
		ws.send({ type: "copilot:send", data: { conversationId, prompt, clientMessageId: randomUUID(), ...more } });
	const text = () =>
		ws
			.all("copilot:delta")
			.map(({ data }) => data.content)
			.join("");
	/** The answer of a whole turn. */
	async function ask(prompt: string, attachments: string[] = []): Promise<string> {
		const from = ws.frames.length;
		send(prompt, { attachments });
		await ws.waitFor("copilot:idle", () => true, { from });
		return ws.frames
			.slice(from)
			.flatMap((frame) => (frame.type === "copilot:delta" ? [frame.data.content] : []))
			.join("");
	}
	return { conversationId, ws, send, ask, text };
}

async function upload(name: string, bytes: Buffer<ArrayBuffer>): Promise<string> {
	const response = await server.api(`/api/attachments?name=${name}`, { method: "POST", body: bytes });
	return z.object({ attachment: z.object({ id: z.string() }) }).parse(await response.json()).attachment.id;
}

test("[AG301] a prompt waits in the queue of an ACP agent in sight of everybody, and one is steered into its turn", async () => {
	const { ws, send, text } = await begin();
	send("say First. ;; steerable");
	await ws.waitFor("copilot:delta");
	send("say Second.");
	await ws.waitFor("copilot:queue", ({ data }) => data.items.some(({ content }) => content === "say Second."));
	send("left or right", { mode: "immediate" });
	await expect.poll(text).toContain("Second.");
	expect(text()).toMatch(/First\..*Steered: left or right.*Second\./s);
});

test("[AG301] in ask mode an ACP agent's edit waits for a person on every channel, and a no changes nothing", async () => {
	const { conversationId, ws, send } = await begin("ask");
	for (const [decision, file] of [
		["reject", "refused.txt"],
		["approve-once", "allowed.txt"],
	] as const) {
		const from = ws.frames.length;
		send(`edit ${file} words`);
		const { data } = await ws.waitFor("copilot:permission_request", () => true, { from });
		expect([data.kind, data.summary]).toEqual(["write", expect.stringContaining(file)]);
		expect(existsSync(join(server.workdir, file))).toBe(false);
		ws.send({ type: "copilot:permission_response", data: { conversationId, requestId: data.requestId, decision } });
		await ws.waitFor("copilot:idle", () => true, { from });
	}
	expect(existsSync(join(server.workdir, "refused.txt"))).toBe(false);
	expect(readFileSync(join(server.workdir, "allowed.txt"), "utf8")).toBe("words");
});

test("[AG301] a question of an ACP agent has its choices, and the answer reaches it", async () => {
	const { conversationId, ws, send, text } = await begin();
	send("ask Which one? | this | that");
	const { data } = await ws.waitFor("copilot:user_input_request");
	expect(data).toMatchObject({ question: "Which one?", choices: ["this", "that"], allowFreeform: true });
	ws.send({ type: "copilot:user_input_response", data: { conversationId, requestId: data.requestId, answer: "that" } });
	await ws.waitFor("copilot:idle");
	expect(text()).toBe("Answer: that");
});

test("[AG301] files, pictures and the results of a person's commands reach an ACP agent", async () => {
	const { conversationId, ws, ask } = await begin();
	const attachments = [await upload("plan.txt", Buffer.from("the plan")), await upload("dot.png", Buffer.from("89504e470d0a1a0a", "hex"))];
	const seen = await ask("prompt", attachments);
	expect(seen).toContain('"type":"image","mimeType":"image/png"');
	expect(seen).toContain("plan.txt");
	const done = ws.next("bash:done");
	ws.send({ type: "bash:exec", data: { conversationId, command: "echo needle-$((40+2))" } });
	await done;
	expect(await ask("prompt")).toContain("[Bash executed by user]\\n$ echo needle-$((40+2))\\nneedle-42");
});

test("[AG301] tokens, cost and context of an ACP agent are told, its words are found by a search and stand in the export", async () => {
	const { conversationId, ws, ask } = await begin();
	await ask("usage 1234 100000 0.25\nsay The heron stands in the reeds.");
	expect(ws.all("copilot:usage").at(-1)?.data).toMatchObject({ contextTokens: 1234, contextLimit: 100_000, cost: 0.25 });
	const { results } = await (await server.api("/api/search?q=heron")).json();
	expect(results.map(({ conversationId: id }: { conversationId: string }) => id)).toContain(conversationId);
	for (const format of ["markdown", "json"])
		expect(await (await server.api(`/api/conversations/${conversationId}/export?format=${format}`)).text()).toContain("The heron stands");
});
