import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ask as askCommand } from "../../../packages/cli/src/commands/ask.ts";
import { schedules } from "../../../packages/cli/src/commands/schedules.ts";
import { type CliOptions, cliEntry, cliEnv, runCli, startCli } from "../../support/cli.ts";
import { useCliBed } from "../../support/cli-bed.ts";
import { createGate, fail, text, toolCall, waitFor } from "../../support/scripted-model-steps.ts";

const bed = useCliBed();

const ask = (args: string[], more: Partial<CliOptions> = {}) => runCli(["ask", ...args], bed.options(more));
const conversationIn = (stderr: string) => /conversation ([\w-]+) {2}http/.exec(stderr)?.[1] ?? "";

test("[CL40] the answer is on standard output and nothing else; conversation and link are on standard error; exit 0", async () => {
	bed.model.reply(text("First line\n"), text("second 漢字"));
	const run = await ask(["Tell me"]);
	expect(run).toMatchObject({ exit: 0, stdout: "First line\nsecond 漢字\n" });
	const id = conversationIn(run.stderr);
	expect(run.stderr).toBe(`conversation ${id}  ${bed.server.url}/c/${id}\n`);
	const again = await ask(["And again", "--conversation", id]);
	expect(again).toMatchObject({ exit: 0, stdout: "You said And again\n" });
	expect((await bed.messagesOf(id)).map((message: { role: string }) => message.role)).toEqual(["user", "assistant", "user", "assistant"]);
});

test("[CL40] text comes as it is said, not at the end", async () => {
	const gate = createGate();
	bed.model.reply(text("at once"), waitFor(gate), text(" and later"));
	const run = startCli(["ask", "Slowly"], bed.options());
	await run.until("stdout", /at once/);
	gate.open();
	expect([await run.exited, run.stdout()]).toEqual([0, "at once and later\n"]);
});

test("[CL41] a tool call is one line on standard error, with its state and time", async () => {
	bed.model.reply(toolCall("Bash", { command: "echo from the shell" }));
	bed.model.reply(text("Done."));
	const run = await ask(["Run it"]);
	expect(run).toMatchObject({ exit: 0, stdout: "Done.\n" });
	expect(run.stderr).toMatch(/^✓ Bash {2}echo from the shell {2}\d/m);
});

test("[CL42] --json writes the frames of the conversation, one a line", async () => {
	const run = await ask(["Hello", "--json"]);
	const frames = run.stdout
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));
	expect(run.exit).toBe(0);
	const types = frames.map((frame) => frame.type);
	expect(types).toEqual(expect.arrayContaining(["copilot:user_message", "copilot:ack", "copilot:message", "copilot:idle"]));
	expect(types.at(-1)).toBe("copilot:idle");
	const seqs = frames.flatMap((frame) => frame.data.seq ?? []);
	expect(seqs).toEqual(seqs.map((_, index) => seqs[0] + index));
});

test("[CL43] the prompt may come from standard input, and with an argument as well the argument goes first", async () => {
	expect(await ask([], { stdin: "from a pipe\n" })).toMatchObject({ exit: 0, stdout: "You said from a pipe\n" });
	expect(await ask(["-"], { stdin: "by a dash" })).toMatchObject({ exit: 0, stdout: "You said by a dash\n" });
	expect(await ask(["Explain:"], { stdin: "line one\nline two\n" })).toMatchObject({
		exit: 0,
		stdout: "You said Explain:\n\nline one\nline two\n",
	});
});

test("[CL43] standard input that stays open without a word is not waited for when a prompt is given", async () => {
	const run = await ask(["Alone"], { stdin: null });
	expect(run).toMatchObject({ exit: 0, stdout: "You said Alone\n" });
	expect(run.stderr).toContain("Nothing came on standard input");
});

test("[CL44] no prompt, too long a one, flags that exclude each other, an unknown conversation, agent or folder: one line, exit 2, nothing begun", async () => {
	const before = await (await bed.server.api("/api/conversations")).json();
	const problems = [
		[["  "], /what shall be asked/],
		[["x".repeat(200_000)], /too long/],
		[["a", "b"], /too many arguments/],
		[["a", "--conversation", "c", "--new"], /--conversation goes on/],
		[["a", "--conversation", "no-such"], /\(conversation-not-found\)/],
		[["a", "--agent", "no-such"], /\(unknown-agent\)/],
		[["a", "--cwd", "no-such-folder"], /\(\S+\)/],
		[["a", "--timeout", "soon"], /--timeout must be/],
	] as const;
	for (const [args, expected] of problems) {
		const run = await ask(args[0] === "x".repeat(200_000) ? ["-"] : [...args], args[0].length > 100 ? { stdin: args[0] } : {});
		expect(run).toMatchObject({ exit: 2, stdout: "", stderr: expect.stringMatching(expected) });
		expect(run.stderr.trim().split("\n")).toHaveLength(1);
	}
	expect(await ask([], { stdin: Buffer.alloc(600_000, "漢").toString() })).toMatchObject({
		exit: 2,
		stderr: expect.stringMatching(/at most 524,288 bytes/),
	});
	const after = await (await bed.server.api("/api/conversations")).json();
	expect(after.conversations.length).toBe(before.conversations.length);
});

test("[CL45] a turn that fails is exit 1, and why is on standard error", async () => {
	bed.model.reply(fail(400, { message: "the model has no credit" }));
	const run = await ask(["Fail"]);
	expect(run.exit).toBe(1);
	expect(run.stderr).toMatch(/^! .+/m);
});

test("[CL46] Ctrl-C stops the turn and ends with 130; what was said is kept", async () => {
	const gate = createGate();
	bed.model.reply(text("Begun"), waitFor(gate), text(" never"));
	const run = startCli(["ask", "Long"], bed.options());
	await run.until("stdout", /Begun/);
	run.child.kill("SIGINT");
	expect([await run.exited, run.stdout()]).toEqual([130, "Begun\n"]);
	const messages = await bed.messagesOf(conversationIn(run.stderr()));
	expect(messages.at(-1)).toMatchObject({ role: "assistant", content: "Begun", metadata: { outcome: "aborted" } });
	gate.open();
});

test("[CL46] a turn that somebody else stops is exit 3", async () => {
	const gate = createGate();
	bed.model.reply(text("Begun"), waitFor(gate));
	const run = startCli(["ask", "Long", "--json"], bed.options());
	const [, id = ""] = /"conversationId":"([^"]+)"/.exec(await run.until("stdout", /Begun/)) ?? [];
	const stop = await runCli(["stop", id], bed.options());
	expect(stop).toMatchObject({ exit: 0, stdout: "", stderr: "Stopped.\n" });
	expect(await run.exited).toBe(3);
	expect(await runCli(["stop", id], bed.options())).toMatchObject({ exit: 0, stderr: "Nothing runs there.\n" });
	expect(await runCli(["stop", "no-such"], bed.options())).toMatchObject({ exit: 2 });
	gate.open();
});

test("[CL47] in a busy conversation the prompt is queued, says so, and answers in its turn; Ctrl-C takes only its own prompt out", async () => {
	const gate = createGate();
	bed.model.reply(text("The first"), waitFor(gate));
	const first = startCli(["ask", "One", "--json"], bed.options());
	const [, id = ""] = /"conversationId":"([^"]+)"/.exec(await first.until("stdout", /The first/)) ?? [];
	const second = startCli(["ask", "Two", "-c", id], bed.options());
	await second.until("stderr", /the prompt is in the queue/);
	const third = startCli(["ask", "Three", "-c", id], bed.options());
	await third.until("stderr", /the prompt is in the queue/);
	third.child.kill("SIGINT");
	expect([await third.exited, third.stdout()]).toEqual([130, ""]);
	gate.open();
	expect([await first.exited, await second.exited, second.stdout()]).toEqual([0, 0, "You said Two\n"]);
	expect(await bed.messagesOf(id)).toHaveLength(4);
});

test("[CL48] a question without a terminal is told with where to answer it, and the answer of another person goes on with the turn", async () => {
	bed.model.reply(toolCall("ask_user", { question: "Red or blue?", choices: ["Red", "Blue"] }));
	bed.model.default((request) => [text(`Painted: ${JSON.stringify(request.body.messages.at(-1)?.content).includes("Blue")}`)]);
	const run = startCli(["ask", "Paint"], bed.options());
	const told = await run.until("stderr", /on the page or in Telegram/);
	expect(told).toMatch(/\? Red or blue\?\n +1 +Red\n +2 +Blue\n/);
	const id = /\/c\/([\w-]+)/.exec(told)?.[1] ?? "";
	const page = await bed.server.ws();
	page.send({ type: "copilot:subscribe", data: { conversationId: id } });
	const { data } = await page.waitFor("copilot:snapshot");
	const requestId = data.questions[0]?.requestId ?? "";
	page.send({ type: "copilot:user_input_response", data: { conversationId: id, requestId, answer: "Blue", wasFreeform: false } });
	expect([await run.exited, run.stdout()]).toEqual([0, "Painted: true\n"]);
	await page.close();
});

test("[CL49] a reader that goes away ends the command quietly, and the turn goes on", async () => {
	const gate = createGate();
	bed.model.reply(text("one\n"), waitFor(gate), text("two\n".repeat(1000)));
	const run = startCli(["ask", "Much"], bed.options());
	await run.until("stdout", /one/);
	run.child.stdout.destroy();
	gate.open();
	expect([await run.exited, run.stderr()]).toEqual([0, ""]);
});

test.skipIf(!existsSync("/dev/full"))("[CL49] a standard output that cannot be written is one line, exit 1", async () => {
	const command = [process.execPath, ...cliEntry(), "ls"].map((part) => `'${part}'`).join(" ");
	const run = await promisify(execFile)("bash", ["-c", `${command} > /dev/full; echo "exit $?"`], { env: cliEnv(bed.options()) });
	expect(run.stdout).toBe("exit 1\n");
	expect(run.stderr).toMatch(/^rightseat ls: standard output cannot be written \(.*ENOSPC.*\)\.\n$/);
});

test("[CL50] --timeout leaves with exit 1, and the turn goes on", async () => {
	const gate = createGate();
	bed.model.reply(text("Begun"), waitFor(gate), text(" and ended"));
	const run = await ask(["Long", "--timeout", "2"]);
	expect(run).toMatchObject({ exit: 1, stdout: "Begun\n", stderr: expect.stringContaining("The time is up") });
	gate.open();
	await expect.poll(async () => (await bed.messagesOf(conversationIn(run.stderr))).at(-1)?.content).toBe("Begun and ended");
});

test("[CL30] an answer cannot touch the terminal, and --json means what the agent said", async () => {
	bed.model.default(() => [text("a\u001b]52;c;AAAA"), text("\u0007b\u009b2J")]);
	expect((await ask(["Attack"])).stdout).toBe("a␛]52;c;AAAA␇b\ufffd2J\n");
	const json = await ask(["Attack", "--json"]);
	expect(json.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
	expect(json.stdout).toContain("\\u009b");
});

test("[CL51] --cwd and --model begin the conversation as told", async () => {
	writeFileSync(join(bed.server.workdir, "here.txt"), "found");
	bed.model.reply(toolCall("Bash", { command: "cat here.txt" }));
	bed.model.default((request) => [text(JSON.stringify(request.body.messages.at(-1)?.content).includes("found") ? "yes" : "no")]);
	const run = await ask(["Look", "--cwd", ".", "--model", "scripted-model"], { cwd: bed.server.workdir });
	expect(run).toMatchObject({ exit: 0, stdout: "yes\n" });
});

test("[CL102] without --cwd it works where it was called, if the server may work there; else in the server's folder, and a line says why", async () => {
	const [folder, elsewhere] = [join(bed.server.workdir, "project"), bed.server.home];
	mkdirSync(folder);
	const cwdOf = async (stderr: string) => (await bed.conversations()).find(({ id }) => id === conversationIn(stderr))?.cwd;
	const here = await bed.runHere(askCommand, ["Where"], { cwd: folder });
	expect([here.exit, await cwdOf(here.stderr)]).toEqual([0, folder]);
	const outside = await bed.runHere(askCommand, ["Where"], { cwd: elsewhere });
	expect([outside.exit, await cwdOf(outside.stderr)]).toEqual([0, bed.server.workdir]);
	expect(outside.stderr).toMatch(
		/^The server may not work in \S+ \(RIGHTSEAT_ROOTS\), so this conversation works in \S+\. --cwd names another folder\.\n/,
	);
	for (const [argv, cwd] of [[["Where", "--url", bed.server.url], folder] as const, [["Where"], "/"] as const]) {
		const quiet = await bed.runHere(askCommand, argv, { cwd, env: { RIGHTSEAT_TOKEN: bed.server.token } });
		expect([quiet.exit, await cwdOf(quiet.stderr)]).toEqual([0, bed.server.workdir]);
		expect(quiet.stderr).toMatch(/^conversation /);
	}
});

test("[CL110] schedules are added, listed, paused, run and removed in a terminal; ids may be cut, and what is missing is said in one line", async () => {
	const { conversation } = await (await bed.server.api("/api/conversations", { method: "POST", json: { title: "Morning" } })).json();
	const run = (...args: string[]) => bed.runHere(schedules, args);
	const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).stdout);
	expect(await run()).toEqual({ exit: 0, stdout: "", stderr: "There are no schedules.\n" });
	const made = await json("add", "Say 早安", "--cron", "0 9 * * 1-5", "--timezone", "Asia/Taipei", "-c", conversation.id);
	const other = await json("add", "Once", "--at", "2030-01-31T09:00", "--timezone", "Asia/Taipei", "--title", "New year");
	expect([made, other]).toMatchObject([
		{ cron: "0 9 * * 1-5", conversationId: conversation.id },
		{ nextRun: "2030-01-31T01:00:00.000Z", conversation: { title: "New year" } },
	]);
	const table = (await run()).stdout;
	expect(table).toMatch(/^ID +STATE +NEXT +LAST +WHEN +PROMPT\n/);
	expect(table).toMatch(new RegExp(`^${made.id} +waiting +\\d\\S+, 09:00 +- +0 9 \\* \\* 1-5 Asia/Taipei +Say 早安$`, "m"));
	expect(await json("pause", made.id.slice(0, -1))).toMatchObject({ id: made.id, state: "paused", nextRun: null });
	expect(await json("resume", made.id)).toMatchObject({ state: "waiting" });
	expect(await json("run", made.id)).toMatchObject({ id: made.id });
	await expect
		.poll(async () => (await bed.messagesOf(conversation.id)).map(({ content }) => content))
		.toEqual(["Say 早安", "You said Say 早安"]);
	expect(await run("remove", made.id)).toEqual({ exit: 0, stdout: "", stderr: "Removed.\n" });
	expect((await run("--json")).stdout.trim().split("\n")).toHaveLength(1);
	const refusals = [
		["remove", made.id],
		["pause"],
		["add", "x"],
		["add", "x", "--at", "2030-01-01T00:00", "-c", "y", "--model", "z"],
		["dance"],
		["pause", ""],
	];
	for (const args of refusals) await expect(run(...args), args.join(" ")).rejects.toMatchObject({ exitCode: 2 });
	await expect(run("add", "x", "--cron", "often")).rejects.toThrow(/cron/i);
	await run("remove", other.id);
});
