import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import { AppError } from "../kernel/errors.ts";
import { type ConversationId, messageId } from "../kernel/ids.ts";
import { MAX_COMMANDS_PER_CONVERSATION } from "./commands.ts";
import { MAX_LIVE_OUTPUT_CHARS } from "./run-command.ts";

let bed: CoreBed;
let id: ConversationId;
beforeEach(async () => {
	bed = await createCoreBed();
	id = await bed.begin();
});
afterEach(() => bed.close());

async function run(command: string, output: string, exitCode = 0): Promise<void> {
	bed.conversations.exec({ conversationId: id, command, origin: "web" });
	const entry = bed.shell.commands.at(-1);
	entry?.output(output);
	entry?.finish({ exitCode });
	await bed.clock.advance(100);
}
async function promptSeenByModel(prompt: string): Promise<string> {
	bed.conversations.prompt({ conversationId: id, prompt, origin: "web" });
	const turn = await bed.runtime.nextTurn();
	turn.text("ok");
	turn.end();
	await bed.clock.advance(100);
	return turn.input.prompt;
}

test("[BX1] a command is shown live to every reader and its result is stored as a user message", async () => {
	const watcher = bed.watch(id);
	await run("ls", "a.txt\n");
	expect(watcher.of("bash:start")).toMatchObject([{ command: "ls", cwd: "/somewhere", origin: "web" }]);
	expect(watcher.of("bash:output")).toMatchObject([{ stream: "output", output: "a.txt\n" }]);
	expect(watcher.of("bash:done")).toMatchObject([{ exitCode: 0, cwd: "/somewhere", truncated: false }]);
	expect(bed.conversations.messages(id, { limit: 1 }).messages[0]).toMatchObject({
		role: "user",
		content: "$ ls\na.txt\n\n[exit code: 0]",
		metadata: { bash: true, exitCode: 0, cwd: "/somewhere" },
	});
});

test("[BX2] the next prompt carries every pending result in order, then the prompt, exactly as written down", async () => {
	await run("one", "1");
	await run("two", "2", 3);
	await run("three", "3");
	expect(bed.conversations.pendingBashContext(id).map((item) => item.command)).toEqual(["one", "two", "three"]);
	expect(await promptSeenByModel("What now?")).toBe(
		"[Bash executed by user]\n$ one\n1\n[exit code: 0]\n\n[Bash executed by user]\n$ two\n2\n[exit code: 3]\n\n[Bash executed by user]\n$ three\n3\n[exit code: 0]\n\nWhat now?",
	);
});

test("[BX3] a result is used exactly once; a prompt without pending results is untouched", async () => {
	const watcher = bed.watch(id);
	await run("one", "1");
	await promptSeenByModel("First");
	expect(await promptSeenByModel("Second")).toBe("Second");
	expect(watcher.of("bash:context").map((data) => data.items.length)).toEqual([1, 0]);
});

test("[BX4] output is cut after 10,000 characters with a mark; shorter output is whole", async () => {
	await run("long", "x".repeat(10_001));
	expect(await promptSeenByModel("?")).toBe(`[Bash executed by user]\n$ long\n${"x".repeat(10_000)}\n...[truncated]\n[exit code: 0]\n\n?`);
	await run("short", "y".repeat(5_000));
	expect(await promptSeenByModel("?")).toBe(`[Bash executed by user]\n$ short\n${"y".repeat(5_000)}\n[exit code: 0]\n\n?`);
});

test("[BX5] pending results survive a restart", async () => {
	await run("one", "1");
	const next = bed.afterCrash();
	next.conversations.prompt({ conversationId: id, prompt: "Go", origin: "web" });
	expect((await next.runtime.nextTurn()).input.prompt).toBe("[Bash executed by user]\n$ one\n1\n[exit code: 0]\n\nGo");
});

test("[BX6] a send that fails before the model said anything gives the results back", async () => {
	await run("one", "1");
	bed.runtime.failNextOpen(new AppError("runtime-start-failed", "no"));
	bed.conversations.prompt({ conversationId: id, prompt: "Go", origin: "web" });
	await bed.clock.advance(100);
	expect(await promptSeenByModel("Again")).toContain("$ one\n1");
});

test("[BX7] a person can drop a result or trim it before it is used", async () => {
	await run("one", "1");
	await run("two", "abcdefghij");
	const [one, two] = bed.conversations.pendingBashContext(id).map((item) => messageId(item.messageId));
	if (one === undefined || two === undefined) throw new Error("nothing pending");
	bed.conversations.dropBashContext(id, one);
	bed.conversations.trimBashContext(id, two, 4);
	expect(await promptSeenByModel("Go")).toBe("[Bash executed by user]\n$ two\nabcd\n...[truncated]\n[exit code: 0]\n\nGo");
	expect(() => bed.conversations.dropBashContext(id, two)).toThrow(expect.objectContaining({ code: "message-not-found" }));
});

test("[PG205] a prompt and a command carry the id of their sender, live, stored and in a snapshot", async () => {
	const watcher = bed.watch(id);
	bed.conversations.exec({ conversationId: id, command: "make", origin: "web", clientMessageId: "mine-1" });
	expect(watcher.of("bash:start")).toMatchObject([{ clientMessageId: "mine-1" }]);
	const late = bed.watch(id);
	expect(late.of("copilot:snapshot")).toMatchObject([{ commands: [{ clientMessageId: "mine-1" }] }]);
	bed.shell.commands.at(-1)?.finish({ exitCode: 0 });
	await bed.clock.advance(100);
	bed.conversations.prompt({ conversationId: id, prompt: "Hello", origin: "web", clientMessageId: "mine-2" });
	expect(watcher.of("copilot:user_message").map(({ metadata }) => metadata.clientMessageId)).toEqual(["mine-1", "mine-2"]);
	const stored = bed.conversations.messages(id, { limit: 5 }).messages;
	expect(stored).toMatchObject([{ metadata: { clientMessageId: "mine-1" } }, { metadata: { clientMessageId: "mine-2" } }]);
});

test("[CV2] the same clientMessageId twice is one run of the command", async () => {
	const request = { conversationId: id, command: "make", origin: "web" as const, clientMessageId: "c1" };
	const first = bed.conversations.exec(request);
	expect(bed.conversations.exec(request)).toEqual({ execId: first.execId, duplicate: true });
	expect(bed.shell.commands).toHaveLength(1);
	expect(() => bed.conversations.exec({ ...request, command: "other" })).toThrow(expect.objectContaining({ code: "id-reused" }));
});

test("[BX9] a command running at a crash is stored as lost with the output that was shown, and is not run again", async () => {
	bed.conversations.exec({ conversationId: id, command: "make", origin: "web" });
	bed.shell.commands[0]?.output("compiling\n");
	await bed.clock.advance(100);
	const next = bed.afterCrash();
	expect(next.shell.commands).toEqual([]);
	expect(next.conversations.messages(id, { limit: 1 }).messages[0]).toMatchObject({
		content: expect.stringContaining("compiling\n[lost"),
		metadata: { bash: true, exitCode: -1 },
	});
});

test("[BX10] a command can be killed; an unknown one is not running", async () => {
	const { execId } = bed.conversations.exec({ conversationId: id, command: "sleep 100", origin: "web" });
	expect(bed.conversations.killExec(execId)).toBe(true);
	await bed.clock.advance(100);
	expect(bed.shell.commands[0]?.killed).toBe(true);
	expect(bed.conversations.killExec(execId)).toBe(false);
});

test("[BX11] commands running at once are bounded, and so is their live output", async () => {
	for (let count = 0; count < MAX_COMMANDS_PER_CONVERSATION; count += 1) {
		bed.conversations.exec({ conversationId: id, command: `sleep ${count}`, origin: "web" });
	}
	expect(() => bed.conversations.exec({ conversationId: id, command: "one more", origin: "web" })).toThrow(
		expect.objectContaining({ code: "too-many-commands" }),
	);
	const watcher = bed.watch(id);
	const flood = "x".repeat(100_000);
	for (let sent = 0; sent < MAX_LIVE_OUTPUT_CHARS * 1.5; sent += flood.length) bed.shell.commands[0]?.output(flood);
	await bed.clock.advance(100);
	const shown = watcher.of("bash:output").reduce((sum, data) => sum + data.output.length, 0);
	expect(shown).toBeLessThan(MAX_LIVE_OUTPUT_CHARS + 100);
});

test("[BX12] a result that comes while others wait goes behind them, in the order in which the commands ended", async () => {
	for (const command of ["slow", "quick"]) bed.conversations.exec({ conversationId: id, command, origin: "web" });
	const [slow, quick] = bed.shell.commands;
	quick?.finish();
	await bed.clock.advance(10);
	slow?.finish();
	await bed.clock.advance(10);
	expect(bed.conversations.pendingBashContext(id).map((item) => item.command)).toEqual(["quick", "slow"]);
	expect(await promptSeenByModel("Go")).toBe(
		"[Bash executed by user]\n$ quick\n\n[exit code: 0]\n\n[Bash executed by user]\n$ slow\n\n[exit code: 0]\n\nGo",
	);
});

test("[WS31] `addBashContext` adds to `pendingBashContext` in order; the next send carries all of it and uses it up", async () => {
	const other = await bed.begin();
	expect(bed.conversations.pendingBashContext(id)).toEqual([]);
	for (const name of ["one", "two", "three"]) await run(`echo ${name}`, name);
	expect(bed.conversations.pendingBashContext(id).map((item) => item.command)).toEqual(["echo one", "echo two", "echo three"]);
	expect(bed.conversations.pendingBashContext(other)).toEqual([]);
	const prompt = await promptSeenByModel("explain");
	expect(prompt.indexOf("echo one")).toBeLessThan(prompt.indexOf("echo two"));
	expect(prompt.indexOf("echo two")).toBeLessThan(prompt.indexOf("echo three"));
	expect(bed.conversations.pendingBashContext(id)).toEqual([]);
});

test("[WS33] `onBashComplete` stores the command, its output in order, the exit code and the final directory", async () => {
	bed.conversations.exec({ conversationId: id, command: "make", origin: "web" });
	const [entry] = bed.shell.commands;
	for (const line of ["out 1\n", "err 1\n", "out 2\n"]) entry?.output(line);
	entry?.finish({ exitCode: 0, cwd: "/somewhere/sub" });
	await bed.clock.advance(10);
	expect(bed.conversations.messages(id, { limit: 1 }).messages[0]).toMatchObject({
		content: "$ make\nout 1\nerr 1\nout 2\n\n[exit code: 0]",
		metadata: { bash: true, command: "make", exitCode: 0, cwd: "/somewhere/sub", context: "pending" },
	});
});

test("[WS35] `onBashComplete` is called for a command that failed too, with its code and output", async () => {
	await run("false", "no such file\n", 2);
	expect(bed.conversations.messages(id, { limit: 1 }).messages[0]).toMatchObject({
		content: "$ false\nno such file\n\n[exit code: 2]",
		metadata: { exitCode: 2, context: "pending" },
	});
});

test("[BX13] the next prompt is told once which background jobs ended", async () => {
	bed.shell.notes = ["[Background job bash_1 ended with exit code 0.]"];
	expect(await promptSeenByModel("Go")).toBe("[Background job bash_1 ended with exit code 0.]\n\nGo");
	expect(await promptSeenByModel("Again")).toBe("Again");
});

test("[SH102] what was not stored with a prompt is still to be told: a transaction that fails takes no note of an ended job away", async () => {
	bed.shell.notes = ["[Background job bash_1 ended with exit code 0.]"];
	vi.spyOn(bed.store.turns, "begin").mockImplementationOnce(() => {
		throw new Error("The disk is full.");
	});
	expect(() => bed.conversations.prompt({ conversationId: id, prompt: "Lost", origin: "web" })).toThrow("The disk is full.");
	expect(await promptSeenByModel("Go")).toBe("[Background job bash_1 ended with exit code 0.]\n\nGo");
	expect(bed.shell.notes).toEqual([]);
});

test("[CV142] a turn that fails before the model said anything gives the notes of ended jobs back; one that it answered does not", async () => {
	bed.shell.notes = ["[Background job bash_1 ended with exit code 0.]"];
	bed.conversations.prompt({ conversationId: id, prompt: "One", origin: "web" });
	(await bed.runtime.nextTurn()).end("error", { code: "provider-unreachable", message: "No network." });
	await bed.clock.advance(10);
	expect(bed.shell.notes).toHaveLength(1);
	bed.conversations.prompt({ conversationId: id, prompt: "Two", origin: "web" });
	const turn = await bed.runtime.nextTurn();
	expect(turn.input.prompt).toBe("[Background job bash_1 ended with exit code 0.]\n\nTwo");
	turn.text("I see.");
	turn.end("error", { code: "provider-unreachable", message: "No network." });
	await bed.clock.advance(10);
	expect(bed.shell.notes).toEqual([]);
});

test("[BX14] a change of a background job is told to the readers of its conversation", async () => {
	const watcher = bed.watch(id);
	bed.shell.job({ bashId: "bash_1", conversationId: id, command: "npm start", status: "running", startedAt: "2026-01-01T00:00:00.000Z" });
	await bed.clock.advance(10);
	expect(watcher.of("bash:job")).toMatchObject([{ job: { bashId: "bash_1", status: "running" } }]);
});

test("[SE35] a secret of ours that a command or a tool prints is neither shown nor stored", async () => {
	const watcher = bed.watch(id);
	await run("cat config", "key=s3cret-value\n");
	bed.conversations.prompt({ conversationId: id, prompt: "Look", origin: "web" });
	const turn = await bed.runtime.nextTurn();
	turn.emit({ kind: "tool-start", toolCallId: "t1", toolName: "Bash", arguments: { command: "echo s3cret-value" } });
	turn.emit({ kind: "tool-end", toolCallId: "t1", success: true, result: "s3cret-value" });
	turn.text("It says s3cret-value.");
	turn.end();
	await bed.clock.advance(100);
	expect(JSON.stringify(watcher.frames)).not.toContain("s3cret-value");
	expect(JSON.stringify(bed.conversations.messages(id, { limit: 10 }))).not.toContain("s3cret-value");
	expect(bed.conversations.messages(id, { limit: 1 }).messages[0]?.content).toBe("It says [redacted].");
});
