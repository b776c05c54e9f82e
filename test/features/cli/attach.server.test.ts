import { afterEach, beforeEach, expect, test } from "vitest";
import { runCli, startCli } from "../../support/cli.ts";
import { useCliBed } from "../../support/cli-bed.ts";
import { createFaultProxy } from "../../support/fault-proxy.ts";
import { type PtyCli, startPtyCli } from "../../support/pty-cli.ts";
import { lastUserText, toolTexts } from "../../support/scripted-model.ts";
import { createGate, text, toolCall, waitFor } from "../../support/scripted-model-steps.ts";

const bed = useCliBed();
let id: string;
let terminal: PtyCli | undefined;
beforeEach(async () => {
	const response = await bed.server.api("/api/conversations", { method: "POST", json: { title: "Clock" } });
	id = (await response.json()).conversation.id;
});
afterEach(() => terminal?.kill());

function attach(args: string[] = [id], env: NodeJS.ProcessEnv = {}): PtyCli {
	terminal = startPtyCli(["attach", ...args], { ...bed.options(), env });
	return terminal;
}
const say = async (prompt: string) => {
	const response = await bed.server.api(`/api/conversations/${id}/messages`, { method: "POST", json: { prompt } });
	expect(response.status).toBe(202);
};
const messages = () => bed.messagesOf(id);
const ENTER = "\r";

test("[CL70] a prompt typed in the terminal is answered there, and what others write is shown as well; [CL115] who is at the keyboard has seen it", async () => {
	bed.model.default((request) => [text(`# Heading\n\n* item **bold** \`code\`\n\nYou said ${lastUserText(request)}`)]);
	const it = attach();
	await it.until(/Clock · copilot/);
	it.type(`Hello 漢字${ENTER}`);
	await it.until(/› Hello 漢字[\s\S]*Heading[\s\S]*• item bold code[\s\S]*You said Hello 漢字[\s\S]*■ done/);
	expect(it.raw()).toContain("\u001b[1mHeading");
	const from = it.text().length;
	await say("From the page");
	await it.until(/› From the page[\s\S]*You said From the page[\s\S]*■ done/, from);
	const waiting = async () => (await (await bed.server.api("/api/inbox")).json()).items;
	await expect.poll(waiting).toEqual([]);
	it.type("\u0004");
	expect(await it.exited).toBe(0);
	expect(it.text()).toContain(`rightseat attach ${id}`);
	expect(await waiting()).toEqual([]);
});

test("[CL71] what was said before is shown first; without an id a number is typed, and Enter is the newest", async () => {
	await bed.server.api("/api/conversations", { method: "POST", json: { title: "Another" } });
	await say("Long ago");
	await expect.poll(async () => (await messages()).length).toBe(2);
	const it = attach([]);
	await it.until(/1 {2}done +copilot .* Clock[\s\S]*2 {2}[\s\S]*Which one\? 1-\d, Enter for 1: $/);
	it.type(`20${ENTER}`);
	await it.until(/Type a number from 1 to \d/);
	it.type(ENTER);
	await it.until(/› Long ago[\s\S]*You said Long ago/);
	it.type(`/quit${ENTER}`);
	expect(await it.exited).toBe(0);
});

test("[CL72] tool calls are folded to a line with a number, and /open shows the whole", async () => {
	bed.model.reply(toolCall("Bash", { command: "printf 'one\\ntwo\\nthree\\n'" }));
	bed.model.reply(text("Ran."));
	const it = attach();
	await it.until(/Clock/);
	it.type(`Run${ENTER}`);
	await it.until(/1 ✓ Bash {2}printf[\s\S]*Ran\.[\s\S]*■ done/);
	const from = it.text().length;
	it.type(`/open 1${ENTER}`);
	await it.until(/"command": "printf[\s\S]*one\s+two\s+three/, from);
});

test("[CL73] questions and permission requests are answered in place", async () => {
	await bed.server.api(`/api/conversations/${id}`, { method: "PATCH", json: { permissions: "ask" } });
	bed.model.reply(toolCall("ask_user", { question: "Red or blue?", choices: ["Red", "Blue"] }));
	bed.model.reply(toolCall("Bash", { command: "echo painted" }));
	bed.model.default((request) => [text(JSON.stringify(request.body.messages).includes("painted") ? "It is painted." : "It is not.")]);
	const it = attach();
	await it.until(/Clock/);
	it.type(`Paint${ENTER}`);
	await it.until(/\? Red or blue\?[\s\S]*2 {2}Blue/);
	it.type(`2${ENTER}`);
	await it.until(/answered: Blue[\s\S]*\? Allow\?[\s\S]*echo painted[\s\S]*y: once/);
	it.type(`perhaps${ENTER}`);
	await it.until(/none of the answers above/);
	it.type(`y${ENTER}`);
	await it.until(/answered: approve-once[\s\S]*It is painted\.[\s\S]*■ done/);
});

test("[CL136] a line that was begun before a permission was asked for allows it only with a second Enter", async () => {
	await bed.server.api(`/api/conversations/${id}`, { method: "PATCH", json: { permissions: "ask" } });
	const gate = createGate();
	bed.model.reply(text("A moment."), waitFor(gate), toolCall("Bash", { command: "echo painted" }));
	bed.model.default(() => [text("It is painted.")]);
	const it = attach();
	await it.until(/Clock/);
	it.type(`Paint${ENTER}`);
	await it.until(/A moment\./);
	it.type("y");
	await it.until(/› y$/m);
	gate.open();
	await it.until(/\? Allow\?[\s\S]*y: once/);
	it.type(ENTER);
	await it.until(/asked while you typed[\s\S]*› y/);
	expect(it.text()).not.toContain("answered: approve-once");
	it.type(ENTER);
	await it.until(/answered: approve-once[\s\S]*It is painted\.[\s\S]*■ done/);
});

test("[CL74] !cmd runs in the conversation's shell, and its output is shown", async () => {
	const it = attach();
	await it.until(/Clock/);
	it.type(`!echo from-$((40+2))${ENTER}`);
	await it.until(/\$ echo from-[\s\S]*from-42[\s\S]*exit 0/);
});

test("[CL75] Ctrl-C stops the turn and a second one leaves at once; the queue is shown", async () => {
	const gate = createGate();
	bed.model.reply(text("Begun and"), waitFor(gate));
	const it = attach();
	await it.until(/Clock/);
	it.type(`Long${ENTER}`);
	await it.until(/Begun and/);
	it.type(`Next${ENTER}`);
	await it.until(/1 prompt waits/);
	it.type(`/queue${ENTER}`);
	await it.until(/1 {2}Next/);
	// In one piece: how long the agent takes to stop is not this test's business.
	it.type("\u0003\u0003");
	expect([await it.exited, it.text()]).toEqual([130, expect.stringContaining("Stopping.")]);
	// What waited goes on without us; it must not take what the next test scripts.
	await expect.poll(async () => (await messages()).at(-1)?.content).toBe("You said Next");
	expect((await messages()).find((message: { role: string }) => message.role === "assistant")).toMatchObject({
		metadata: { outcome: "aborted" },
	});
	gate.open();
});

test("[CL76] nothing that an agent or a tool says reaches the terminal raw", async () => {
	const attack = "x\u001b]52;c;QUJD\u0007y\u001b]0;owned\u0007\u001b[2J\u009b5Az";
	bed.model.reply(toolCall("Bash", { command: `printf '\\033]52;c;QUJD\\007'`, description: attack }));
	bed.model.default(() => [text(attack.slice(0, 4)), text(attack.slice(4)), text("\n\nEnd")]);
	const it = attach();
	await it.until(/Clock/);
	it.type(`Attack${ENTER}`);
	await it.until(/End[\s\S]*■ done/);
	it.type(`/open 1${ENTER}`);
	await it.until(/"command"/);
	expect(it.raw()).not.toMatch(/\u001b\]|\u009b|\u0007|\u001b\[2J/);
	expect(it.raw()).toContain("␛]52;c;QUJD␇");
});

test("[CL77] after a lost line it says so quietly, comes back, and shows everything once", async () => {
	const proxy = await createFaultProxy({ port: bed.server.port });
	const gate = createGate();
	bed.model.reply(text("before the cut\n\n"), waitFor(gate), text("after the cut"));
	const it = attach([id, "--url", proxy.url], { RIGHTSEAT_TOKEN: bed.server.token });
	await it.until(/Clock/);
	it.type(`Go${ENTER}`);
	await it.until(/before the cut/);
	proxy.refuse();
	proxy.cut();
	await it.until(/Connection lost/);
	gate.open();
	await expect.poll(async () => (await messages()).length).toBe(2);
	proxy.resume();
	await it.until(/after the cut[\s\S]*■ done/);
	it.type("\u0004");
	await it.exited;
	await proxy.close();
});

test("[CL78] without a terminal, with an unknown conversation: one line, exit 2", async () => {
	expect(await runCli(["attach", id], bed.options())).toMatchObject({
		exit: 2,
		stderr: expect.stringMatching(/^rightseat attach: attach needs a terminal.+"rightseat ls".+\n$/),
	});
	const it = attach(["no-such"]);
	expect(await it.exited).toBe(2);
	expect(it.text()).toMatch(/conversation-not-found/);
});

test("[CL80] tail prints the last messages, plain or as JSON, and follows", async () => {
	await say("First");
	await expect.poll(async () => (await messages()).length).toBe(2);
	const all = await runCli(["tail", id], bed.options());
	expect(all).toMatchObject({ exit: 0, stdout: "\n› First\n\nYou said First\n", stderr: "" });
	const last = await runCli(["tail", id, "-n", "1", "--json"], bed.options());
	expect(
		last.stdout
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line).content),
	).toEqual(["You said First"]);
	const following = startCli(["tail", id, "--follow", "-n", "1"], bed.options());
	const frames = startCli(["tail", id, "--follow", "-n", "1", "--json"], bed.options());
	await following.until("stdout", /You said First/);
	await frames.until("stdout", /You said First/);
	await say("Second");
	await following.until("stdout", /› Second\n\nYou said Second\n■ done/);
	await frames.until("stdout", /copilot:idle/);
	expect(
		frames
			.stdout()
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line).type),
	).toContain("copilot:user_message");
	following.child.kill("SIGINT");
	frames.child.kill("SIGINT");
	expect([await following.exited, await frames.exited]).toEqual([130, 130]);
	expect(following.stdout()).not.toContain("First\n\nYou said First\n\n› First");
});

test("[CL46] a second Ctrl-C leaves at once, also when the server does not answer", async () => {
	const proxy = await createFaultProxy({ port: bed.server.port });
	const gate = createGate();
	bed.model.reply(text("Begun"), waitFor(gate));
	const run = startCli(["ask", "Hang", "--url", proxy.url], { ...bed.options(), env: { RIGHTSEAT_TOKEN: bed.server.token } });
	await run.until("stdout", /Begun/);
	proxy.freeze();
	run.child.kill("SIGINT");
	await run.until("stderr", /Stopping\./);
	run.child.kill("SIGINT");
	expect([await run.exited, run.stdout()]).toEqual([130, "Begun\n"]);
	gate.open();
	await proxy.close();
});

test("[CL63] a slow reader of standard output holds the server's stream back, and gets every byte in the end", async () => {
	const line = `${"x".repeat(1_000)}\n`;
	bed.model.reply(...Array.from({ length: 300 }, () => text(line)));
	const asked = bed.model.requests.length;
	const run = startCli(["ask", "Much"], bed.options());
	run.child.stdout.pause();
	await (await bed.model.request(asked + 1)).closed;
	run.child.stdout.resume();
	expect([await run.exited, run.stdout().length]).toEqual([0, 300 * line.length]);
});

test("[CL132] a form of an MCP server is filled in here, and its answer reaches the server; [CL133] the to-do list is a line", async () => {
	const program = new URL("../../support/mcp-server/stdio.mjs", import.meta.url).pathname;
	const setServers = (mcpServers: object) => bed.server.api("/api/mcp", { method: "PUT", json: { mcpServers } });
	await setServers({ shop: { command: process.execPath, args: [program, "ask"] } });
	const requestedSchema = { type: "object", properties: { name: { type: "string" }, gift: { type: "boolean", default: true } } };
	bed.model.reply(
		toolCall("sql", { description: "t", query: "INSERT INTO todos (id, title, status) VALUES ('a', 'Wrap it', 'in_progress')" }),
	);
	bed.model.reply(toolCall("shop-echo", { text: JSON.stringify({ message: "For whom?", requestedSchema }) }));
	bed.model.default((request) => [text(`It says ${toolTexts(request).at(-1)}`)]);
	const it = attach();
	await it.until(/Clock/);
	it.type(`Order${ENTER}`);
	await it.until(/☑ 0\/1 {2}Wrap it[\s\S]*\? shop asks: For whom\?[\s\S]*1\/2 {2}name/);
	it.type(`!Ada${ENTER}`);
	await it.until(/2\/2 {2}gift[\s\S]*Enter: true/);
	it.type(ENTER);
	await it.until(/answered: filled in \(web\)[\s\S]*"name":"!Ada"[\s\S]*"gift":true[\s\S]*■ done/);
	await setServers({});
});
