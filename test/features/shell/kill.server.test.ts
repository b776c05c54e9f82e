import { afterAll, beforeAll, expect, test } from "vitest";
import { conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import type { ToolResult } from "../../../packages/server/src/core/ports/agent-tool.ts";
import { openShellBed, processesWith, type ShellBed, uniqueSeconds } from "./shell-harness.ts";

let bed: ShellBed;
beforeAll(async () => {
	bed = await openShellBed();
	await bed.out("true");
});
afterAll(() => bed.close());

test("[SH11] a command that takes longer than its timeout is ended and returns a timeout error with its output", async () => {
	const seconds = uniqueSeconds();
	const { ok, text } = await bed.call("Bash", { command: `sleep ${seconds} & echo a; wait`, timeout: 2_000 });
	expect(ok).toBe(false);
	expect(text).toMatch(/^a\n\[timed out after 2 s; 2 processes ended\. Use a longer timeout/);
	expect(processesWith(`sleep ${seconds}`)).toEqual([]);
});

test("[SH12] the timeout is 120 s by default and 600 s at most; what makes no sense is refused", async () => {
	const bash = bed.shell.tools(conversationId("one"), bed.work)[0];
	expect(JSON.stringify(bash?.parameters)).toContain("default 120000, at most 600000");
	const high = await bed.call("Bash", { command: "echo hi", timeout: 999_999_999 });
	expect(high).toMatchObject({ ok: true, text: expect.stringContaining("[timeout was lowered to the maximum of 600000 ms]") });
	for (const timeout of [0, -1, Number.NaN, "5"]) {
		const { ok, text } = await bed.call("Bash", { command: "echo hi", timeout });
		expect([timeout, ok, text.includes("timeout")]).toEqual([timeout, false, true]);
	}
});

const SHAPES: [string, (seconds: number) => string][] = [
	["children", (s) => `sleep ${s} & sleep ${s}; wait`],
	["own session", (s) => `setsid sleep ${s} & sleep ${s}`],
	["own session, orphaned", (s) => `(setsid sleep ${s} &); sleep ${s}`],
	["own session, waiting", (s) => `setsid -w sleep ${s}`],
	["nohup and disowned", (s) => `nohup sleep ${s} >/dev/null 2>&1 & disown; sleep ${s}`],
	["double fork", (s) => `( ( sleep ${s} & ) & ); sleep ${s}`],
	["daemon that closes everything", (s) => `(setsid bash -c 'exec <&- >&- 2>&-; sleep ${s} & sleep ${s}' &); sleep ${s}`],
	["without environment", (s) => `env -i /bin/sleep ${s} & sleep ${s}`],
	["without environment, own session, orphaned", (s) => `(env -i setsid sleep ${s} &); sleep ${s}`],
	["without environment, output, parent and session", (s) => `(env -i setsid sleep ${s} >/dev/null 2>&1 &); sleep ${s}`],
	["stopped", (s) => `sleep ${s} & kill -STOP $!; sleep ${s}`],
	["pipeline", (s) => `sleep ${s} | sleep ${s} | cat`],
	["process substitution", (s) => `cat <(sleep ${s})`],
	["job control", (s) => `set -m; sleep ${s} & sleep ${s}`],
];
test.each(SHAPES)("[SH15] a timeout ends processes wherever they went: %s", async (_name, command) => {
	const seconds = uniqueSeconds();
	const { ok, text } = await bed.call("Bash", { command: command(seconds), timeout: 300 });
	expect([ok, text.includes("timed out")]).toEqual([false, true]);
	expect(processesWith(`sleep ${seconds}`)).toEqual([]);
});

test.each([
	["ignores TERM", (s: number) => `trap '' TERM; echo ready; while :; do sleep 0.05; : ${s}; done`],
	[
		"starts another on TERM",
		(s: number) => `trap 'setsid bash -c "trap : TERM; sleep ${s}; sleep ${s}" & ' TERM; echo ready; while :; do sleep 0.05; : ${s}; done`,
	],
])("[SH16] what %s is killed by force", async (_name, command) => {
	const seconds = uniqueSeconds();
	const { text } = await stopWhenReady(command(seconds));
	expect(text).toContain("by force");
	expect(processesWith(`${seconds}`)).toEqual([]);
});

test("[SH44] TERM comes first, so that traps run", async () => {
	const { text } = await stopWhenReady("trap 'echo cleaned up; exit' TERM; echo ready; while :; do sleep 0.05; done");
	expect(text).toMatch(/cleaned up\n\[stopped by the user/);
});

test("[SH14] stopping the turn ends the command and its children; what it wrote is kept", async () => {
	const seconds = uniqueSeconds();
	const turn = new AbortController();
	// Both children are there when it says so.
	const result = await stopWhenReady(`setsid sleep ${seconds} & sleep ${seconds} & echo going; wait`, turn);
	expect(result).toMatchObject({ ok: false, text: expect.stringMatching(/^going\n\[stopped by the user; 3 processes ended/) });
	expect(processesWith(`sleep ${seconds}`)).toEqual([]);
	expect(await bed.call("Bash", { command: "echo never" }, { signal: turn.signal })).toMatchObject({
		ok: false,
		text: expect.stringContaining("before it started"),
	});
	expect(await bed.out("echo next")).toBe("next");
});

test("[SH13] with on_timeout background the command goes on under an id, also when the turn's signal fires afterwards", async () => {
	const turn = new AbortController();
	const command = `echo a; cd /; while [ ! -e ${bed.work}/end-13 ]; do sleep 0.05; done; echo b; exit 7`;
	const { ok, text } = await bed.call("Bash", { command, timeout: 2_000, on_timeout: "background" }, { signal: turn.signal });
	expect(ok).toBe(true);
	expect(text).toMatch(/^a\n\[still running after 2 s, now in the background as bash_id bash_\d+/);
	turn.abort();
	await bed.out("touch end-13");
	const bash_id = /bash_\d+/.exec(text)?.[0];
	await expect.poll(async () => (await bed.call("BashOutput", { bash_id })).text).toBe(`a\nb\n[${bash_id} exited with exit code: 7]`);
	expect(await bed.out("pwd")).toBe(bed.work);
});

test("[SH51] exit codes and signals are what they were", async () => {
	const codes = ["(exit 5)", "f(){ return 7; }; f", "false|true", "sh -c 'kill -TERM $$'", "kill -TERM $$"];
	const ends = [];
	for (const command of codes) ends.push(/exit code: (\d+)/.exec((await bed.call("Bash", { command })).text)?.[1]);
	expect(ends).toEqual(["5", "7", "0", "143", "143"]);
	expect(await bed.exec("echo out; echo err >&2; exit 9")).toMatchObject({ exitCode: 9, output: "out\nerr\n", end: "exited" });
	expect(await bed.exec("kill -KILL $$")).toMatchObject({ exitCode: 137, signal: "SIGKILL", end: "exited" });
});

test("[SH38] a person's command can be ended; twice is fine", async () => {
	const seconds = uniqueSeconds();
	const running = bed.shell.exec({
		command: `echo on; setsid sleep ${seconds} & sleep ${seconds}`,
		defaultCwd: bed.work,
		onOutput: () => running.kill(),
	});
	const result = await running.done;
	running.kill();
	expect(result).toMatchObject({ end: "killed", output: "on\n" });
	expect(processesWith(`sleep ${seconds}`)).toEqual([]);
});

test("[SH18] a child left running does not hold the call: it is listed and becomes a job", async () => {
	const seconds = uniqueSeconds();
	// The child sleeps for more than a day.
	const { ok, text } = await bed.call("Bash", { command: `sleep ${seconds} & echo started` });
	expect(ok).toBe(true);
	const [, bash_id, pid] = /\(bash_id (bash_\d+)\): (\d+) sleep/.exec(text) ?? [];
	expect(processesWith(`sleep ${seconds}`)).toEqual([Number(pid)]);
	expect((await bed.call("BashOutput", { bash_id })).text).toBe(`started\n[${bash_id} is running]`);
	expect(await bed.call("KillBash", { bash_id })).toMatchObject({ ok: true });
	expect(processesWith(`sleep ${seconds}`)).toEqual([]);
});

test.each([
	["quiet child", (s: number) => `sleep ${s} >/dev/null 2>&1 &`],
	["daemon", (s: number) => `(setsid sleep ${s} >/dev/null 2>&1 &)`],
	["daemon without environment", (s: number) => `(env -i setsid sleep ${s} >/dev/null 2>&1 &)`],
])("[SH18] a %s is listed too, and its later output stays with it", async (_name, command) => {
	const seconds = uniqueSeconds();
	const { text } = await bed.call("Bash", { command: command(seconds) });
	const bash_id = /bash_id (bash_\d+)/.exec(text)?.[1];
	expect(bash_id).toBeDefined();
	expect(await bed.call("KillBash", { bash_id })).toMatchObject({ ok: true });
	expect(processesWith(`sleep ${seconds}`)).toEqual([]);
});

test("[SH18] late output of a child belongs to its own command, and its job ends with it", async () => {
	const { text } = await bed.call("Bash", { command: "(while [ ! -e late ]; do sleep 0.05; done; echo LATE; touch said) & echo now" });
	const bash_id = /bash_id (bash_\d+)/.exec(text)?.[1];
	expect(await bed.out("touch late; while [ ! -e said ]; do sleep 0.05; done; echo other")).toBe("other");
	await expect.poll(async () => (await bed.call("BashOutput", { bash_id })).text).toBe(`now\nLATE\n[${bash_id} has ended]`);
});

test("[SH18] without a conversation nothing is left running", async () => {
	const seconds = uniqueSeconds();
	await bed.exec(`sleep ${seconds} & echo x`, { conversation: null });
	await expect.poll(() => processesWith(`sleep ${seconds}`)).toEqual([]);
});

/** Runs a command and stops its turn at its first output. */
function stopWhenReady(command: string, turn = new AbortController()): Promise<ToolResult> {
	return bed.call("Bash", { command }, { signal: turn.signal, onOutput: () => turn.abort() });
}
