import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { launchBrowser, type TestPage } from "../../support/browser.ts";
import { fleetCommand } from "../../support/fleet-command.ts";
import { hasNats, startNats, type TestNats } from "../../support/nats.ts";
import { cookiesOf } from "../../support/page-harness.ts";
import { type ScriptedModel, startScriptedModel } from "../../support/scripted-model.ts";
import { pause, text, toolCall } from "../../support/scripted-model-steps.ts";
import { startServer, type TestServer } from "../../support/server.ts";
import { writeToken } from "../../support/write-token.ts";

/** Long, because the machine may be busy: what is awaited comes by itself. */
const until = <T>(holds: () => T | Promise<T>) => vi.waitFor(holds, { timeout: 40_000, interval: 100 });

/** The whole product twice, joined by a real engine, with a page at one of them: what only all of them together can prove. */
describe.skipIf(!hasNats)("two servers in one fleet", () => {
	let nats: TestNats;
	let desk: TestServer;
	let laptop: TestServer;
	let model: ScriptedModel;
	let seat: TestPage;
	const homes: string[] = [];
	const env = () => ({ RIGHTSEAT_FLEET_URL: nats.url, RIGHTSEAT_PROVIDER_URL: model.url, RIGHTSEAT_PROVIDER_KEY: "key" });

	const fleet = (home: string, ...args: string[]) => fleetCommand(home, env(), ...args);
	function newHome(): string {
		const home = mkdtempSync(join(tmpdir(), "rightseat-fleet-"));
		homes.push(home);
		writeToken(home);
		return home;
	}
	const hosts = async (server: TestServer) => (await (await server.api("/api/hosts")).json()).hosts;
	const list = async (server: TestServer) => (await (await server.api("/api/conversations")).json()).conversations;

	beforeAll(async () => {
		nats = await startNats();
		model = await startScriptedModel();
		model.default(() => [text("A pelican answers.")]);
		const [first, second] = [newHome(), newHome()];
		// Each takes its place while it runs.
		[desk, laptop] = await Promise.all([
			fleet(first, "init", "--name", "desk").then(() => startServer({ home: first, env: env() })),
			startServer({ home: second, env: env() }),
		]);
		await fleet(second, "join", await fleet(first, "invite"), "--name", "laptop");
		await until(async () =>
			expect((await hosts(desk)).map(({ name, state }: { name: string; state: string }) => `${name} ${state}`)).toEqual([
				"desk online",
				"laptop online",
			]),
		);
	}, 120_000);
	afterAll(async () => {
		// Nothing is asked of an orderly end here.
		await Promise.all([desk?.kill(), laptop?.kill()]);
		await Promise.all([desk?.close(), laptop?.close()]);
		await Promise.all([nats?.close(), model?.close()]);
		for (const home of homes) rmSync(home, { recursive: true, force: true, maxRetries: 5 });
	});

	test("[FL230] a conversation of another host is listed, prompted, watched, read, searched and changed from here, and written down there", async () => {
		const [, other] = await hosts(desk);
		const begun = await desk.api("/api/conversations", { method: "POST", json: { title: "Over there", host: other.id } });
		expect(begun.status).toBe(201);
		const { conversation } = await begun.json();
		expect([conversation.host, (await list(laptop)).map(({ title }: { title: string }) => title)]).toEqual([
			{ id: other.id, name: "laptop" },
			["Over there"],
		]);
		await until(async () => expect((await list(desk)).map(({ id }: { id: string }) => id)).toContain(conversation.id));
		const socket = await desk.ws();
		socket.send({ type: "copilot:subscribe", data: { conversationId: conversation.id } });
		await socket.waitFor("copilot:snapshot");
		socket.send({ type: "copilot:send", data: { conversationId: conversation.id, prompt: "hello pelican", clientMessageId: "m1" } });
		await socket.waitFor("copilot:ack");
		const idle = await socket.waitFor("copilot:idle");
		expect(idle).toMatchObject({ data: { conversationId: conversation.id, outcome: "completed" } });
		const own = conversation.id.slice(17);
		const there = await (await laptop.api(`/api/conversations/${own}`)).json();
		expect(idle.data).toMatchObject({ epoch: there.conversation.epoch });
		const { messages } = await (await desk.api(`/api/conversations/${conversation.id}/messages`)).json();
		expect(messages[0]).toMatchObject({ role: "user", content: "hello pelican" });
		const { results } = await (await desk.api("/api/search?q=pelican")).json();
		expect(results[0]).toMatchObject({ conversationId: conversation.id });
		const patched = await desk.api(`/api/conversations/${conversation.id}`, { method: "PATCH", json: { title: "Renamed" } });
		expect((await patched.json()).conversation).toMatchObject({ id: conversation.id, title: "Renamed" });
		socket.send({ type: "bash:exec", data: { conversationId: conversation.id, command: "echo from-$((40+2))", clientMessageId: "x1" } });
		await socket.waitFor("bash:output", (frame) => frame.data.output.includes("from-42"));
		const { entries } = await (await laptop.api("/api/audit?limit=50")).json();
		expect(
			entries
				.filter(({ kind }: { kind: string }) => kind === "fleet")
				.map(({ detail }: { detail: string }) => /^\w+:\w+/.exec(detail)?.[0]),
		).toEqual(expect.arrayContaining(["fleet:create", "copilot:send", "fleet:patch", "bash:exec"]));
		await socket.close();
	}, 60_000);

	test("[FL231] a terminal opens there, a file goes along with a prompt, and what its host keeps can be downloaded here", async () => {
		const [conversation] = (await list(desk)).filter(({ host }: { host: { name: string } }) => host.name === "laptop");
		const socket = await desk.ws();
		socket.send({ type: "terminal:open", data: { terminalId: "t1", conversationId: conversation.id, cols: 80, rows: 24 } });
		await socket.waitFor("terminal:opened");
		socket.send({ type: "terminal:input", data: { terminalId: "t1", data: "echo over-$((1+1))-there\n" } });
		await socket.waitFor("terminal:output", (frame) => frame.data.data.includes("over-2-there"));
		socket.send({ type: "terminal:close", data: { terminalId: "t1" } });
		await socket.waitFor("terminal:exit");
		const upload = await desk.api("/api/attachments?name=note.txt", {
			method: "POST",
			body: "a note of 2026",
			headers: { "content-type": "text/plain" },
		});
		const { attachment } = await upload.json();
		socket.send({ type: "copilot:subscribe", data: { conversationId: conversation.id } });
		await socket.waitFor("copilot:snapshot");
		const prompt = { conversationId: conversation.id, prompt: "read it", clientMessageId: "m2", attachments: [attachment.id] };
		socket.send({ type: "copilot:send", data: prompt });
		const said = await socket.waitFor("copilot:user_message", (frame) => frame.data.metadata.clientMessageId === "m2");
		const [sent] = said.data.metadata.attachments ?? [];
		expect(sent).toMatchObject({ name: "note.txt", size: 14 });
		await socket.waitFor("copilot:idle", undefined, { from: socket.frames.indexOf(said) });
		const bytes = await desk.api(`/api/attachments/${sent?.id}?conversation=${conversation.id}`);
		expect(await bytes.text()).toBe("a note of 2026");
		const exported = await desk.api(`/api/conversations/${conversation.id}/export?format=json`);
		expect([exported.status, (await exported.text()).includes("read it")]).toEqual([200, true]);
		await socket.close();
	}, 60_000);

	test("[FL382] folder trust, set-up, plans, forms, to-do lists, sub-agents, rules, context and side questions of another host work from here", async () => {
		const [, other] = await hosts(desk);
		const cwd = join(laptop.workdir, "project");
		const fixture = new URL("../../support/mcp-server/stdio.mjs", import.meta.url).pathname;
		mkdirSync(join(cwd, ".github/skills/greet"), { recursive: true });
		writeFileSync(join(cwd, ".mcp.json"), JSON.stringify({ mcpServers: { ask: { command: process.execPath, args: [fixture, "ask"] } } }));
		writeFileSync(join(cwd, ".github/skills/greet/SKILL.md"), "---\nname: greet\ndescription: Greets.\n---\nGreet.\n");
		const place = { path: cwd, host: other.id };
		const found = await (await desk.api(`/api/folders/setup?${new URLSearchParams(place)}`)).json();
		expect([found.trusted, found.found.map(({ name }: { name: string }) => name)]).toEqual([false, ["ask", "greet"]]);
		expect((await desk.api("/api/folders/trust", { method: "PUT", json: { ...place, trusted: true } })).status).toBe(204);
		const begun = await desk.api("/api/conversations", { method: "POST", json: { cwd, host: other.id, mode: "plan", effort: "low" } });
		const { id } = (await begun.json()).conversation;
		const of = `/api/conversations/${id}`;
		const get = async (path: string) => (await desk.api(`${of}${path}`)).json();
		const socket = await desk.ws();
		socket.send({ type: "copilot:subscribe", data: { conversationId: id } });
		await socket.waitFor("copilot:snapshot");

		const form = { message: "Who?", requestedSchema: { type: "object", properties: { name: { type: "string", minLength: 2 } } } };
		model.reply(toolCall("exit_plan_mode", { summary: "Look around" }));
		model.reply(toolCall("ask-echo", { text: JSON.stringify(form) }));
		model.reply(toolCall("sql", { description: "t", query: "INSERT INTO todos (id, title, status) VALUES ('a', 'One', 'in_progress')" }));
		model.reply(toolCall("task", { agent_type: "general-purpose", name: "helper", description: "d", prompt: "Look." }, "task-1"));
		model.reply(text("Seen."));
		model.reply(text("Done."));
		socket.send({ type: "copilot:send", data: { conversationId: id, prompt: "Look around", clientMessageId: "s1" } });
		const plan = await socket.waitFor("copilot:plan_request");
		await until(async () =>
			expect((await (await desk.api("/api/inbox")).json()).items).toContainEqual(
				expect.objectContaining({ kind: "plan", conversationId: id }),
			),
		);
		socket.send({ type: "copilot:plan_response", data: { requestId: plan.data.requestId, approved: true, plan: "# Mine" } });
		expect((await socket.waitFor("copilot:plan_resolved")).data).toMatchObject({ approved: true, plan: "# Mine", by: "web" });
		const { requestId } = (await socket.waitFor("copilot:form_request")).data;
		socket.send({ type: "copilot:form_response", data: { requestId, action: "accept", content: { name: "x" } } });
		expect((await socket.waitFor("error")).data).toMatchObject({ code: "form-invalid", params: { field: "name" } });
		socket.send({ type: "copilot:form_response", data: { requestId, action: "accept", content: { name: "Ada" } } });
		expect((await socket.waitFor("copilot:todos")).data.items).toMatchObject([{ title: "One", status: "in_progress" }]);
		const { agentId } = (await socket.waitFor("copilot:subagent", ({ data }) => data.state === "completed")).data;
		const said = await socket.waitFor("copilot:message", ({ data }) => data.agentId !== undefined);
		expect(said.data).toMatchObject({ content: "Seen.", agentId, parentToolCallId: "task-1" });
		await socket.waitFor("copilot:idle");

		const patch = { permissions: "ask", mcp: { ask: false } };
		expect((await desk.api(of, { method: "PATCH", json: patch })).status).toBe(200);
		model.reply(toolCall("Bash", { command: "ls -a" }));
		model.reply(toolCall("Bash", { command: "ls -l" }));
		model.reply(text("Listed."));
		const from = socket.frames.length;
		socket.send({ type: "copilot:send", data: { conversationId: id, prompt: "List it", clientMessageId: "s2" } });
		const asked = await socket.waitFor("copilot:permission_request");
		const yes = { conversationId: id, requestId: asked.data.requestId, decision: "approve-once" as const, remember: true };
		socket.send({ type: "copilot:permission_response", data: yes });
		await socket.waitFor("copilot:idle", undefined, { from });
		expect(socket.all("copilot:permission_request")).toHaveLength(1);
		const rules = await (await laptop.api("/api/permissions")).json();
		expect(rules.folders).toMatchObject([{ path: cwd, rules: [{ text: "ls" }] }]);
		expect((await get("/setup")).mcp).toMatchObject([{ name: "ask", state: "disabled" }]);
		expect((await get("/commands")).commands).toContainEqual(expect.objectContaining({ name: "greet", kind: "skill" }));
		expect((await get("/context")).categories).toContainEqual({ kind: "messages", tokens: expect.any(Number) });
		const aside = await desk.api(`${of}/aside`, { method: "POST", json: { question: "Why?" } });
		expect([aside.status, await aside.json()]).toEqual([200, { answer: "A pelican answers." }]);
		await socket.close();
	}, 60_000);

	test("[PG959] on the page of one host the conversations of the other stand under its name, are opened, prompted and read word by word", async () => {
		const browser = await launchBrowser({ shared: true });
		const cookies = cookiesOf(await desk.login(), new URL(desk.url).hostname);
		seat = await browser.open(desk.url, { storageState: { cookies, origins: [] } });
		const { page } = seat;
		const conversations = page.getByRole("list", { name: "Conversations" });
		await conversations.getByRole("heading", { name: /^laptop\s*\(online\)$/ }).waitFor();
		await conversations.getByRole("link", { name: /Renamed/ }).click();
		const log = page.getByRole("log");
		await log.getByText("hello pelican").waitFor();
		model.reply(text("First words"), pause(300), text(" and the last ones."));
		await page.getByRole("textbox", { name: "Message" }).fill("from the seat");
		await page.keyboard.press("Enter");
		await log.getByText("First words and the last ones.").waitFor();
		expect(seat.problems).toEqual([]);
	}, 60_000);

	test("[FL232] a host that is killed is offline with its history, a prompt for it waits, and goes out once when it is back", async () => {
		const [conversation] = (await list(desk)).filter(({ host }: { host: { name: string } }) => host.name === "laptop");
		const of = `/api/conversations/${conversation.id}`;
		const { page } = seat;
		await laptop.kill();
		// Nobody is there to be asked: that is known at once, as soon as NATS has seen that it died; what is asked in that moment waits in vain.
		const rename = () => desk.api(of, { method: "PATCH", json: { title: "No" }, signal: AbortSignal.timeout(2_000) });
		await until(async () => expect((await rename()).status).toBe(503));
		await until(async () => expect((await hosts(desk))[1].state).toBe("offline"));
		const path = encodeURIComponent(laptop.workdir);
		for (const read of [`${of}/setup`, `${of}/commands`, `${of}/context`, `/api/folders/setup?host=${conversation.host.id}&path=${path}`])
			expect([(await desk.api(read)).status, read]).toEqual([503, read]);
		for (const act of [`${of}/compact`, `${of}/aside`, `${of}/mcp/x/login`, `${of}/fork`]) {
			const refused = await desk.api(act, { method: "POST", json: { question: "x" } });
			expect([refused.status, (await refused.json()).error.code, act]).toEqual([503, "host-offline", act]);
		}
		const { messages } = await (await desk.api(`${of}/messages`)).json();
		expect(messages.map(({ content }: { content: string }) => content)).toContain("hello pelican");
		await page.getByRole("note").filter({ hasText: "laptop is offline" }).waitFor();
		await page.getByRole("textbox", { name: "Message" }).fill("for later");
		await page.keyboard.press("Enter");
		const waiting = page.getByRole("list", { name: "Waiting for other hosts" }).getByRole("listitem");
		await waiting.getByRole("button", { name: "Edit" }).click();
		await page.getByRole("textbox", { name: "Change the message that waits" }).fill("for much later");
		await page.getByRole("button", { name: "Save" }).click();
		// The text box has this text too, before it is saved.
		await page.getByRole("textbox", { name: "Change the message that waits" }).waitFor({ state: "detached" });
		await waiting.getByText("for much later").waitFor();
		expect((await (await desk.api("/api/outbox")).json()).items).toMatchObject([{ prompt: "for much later", state: "waiting" }]);
		laptop = await laptop.restart();
		await until(async () => expect((await (await desk.api("/api/outbox")).json()).items).toEqual([]));
		await page.getByRole("log").getByText("for much later").waitFor();
		await page.getByRole("note").waitFor({ state: "detached" });
		const now = await (await desk.api(`${of}/messages`)).json();
		expect(now.messages.filter(({ content }: { content: string }) => content === "for much later").length).toBe(1);
		await seat.close();
	}, 120_000);
});
