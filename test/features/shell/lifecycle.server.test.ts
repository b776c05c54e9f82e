import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import { silentLogger } from "../../../packages/server/src/core/kernel/logger.ts";
import { createShell } from "../../../packages/server/src/shell/service/create-shell.ts";
import { buildShelld, childrenOf, openShellBed, processesWith, uniqueSeconds } from "./shell-harness.ts";

test("[SH42] when the server is killed nothing that it started lives on, and the next one knows the jobs as lost", async () => {
	const home = mkdtempSync(join(tmpdir(), "rightseat-crash-"));
	const [left, job, bare] = [uniqueSeconds(), uniqueSeconds(), uniqueSeconds()];
	const shelldPath = await buildShelld();
	const server = await startServer(home, shelldPath, [
		`export KEPT=1; setsid sleep ${left} & (setsid nohup sleep ${left} >/dev/null 2>&1 &)`,
		`(env -i setsid sleep ${bare} >/dev/null 2>&1 &)`,
		`exec bash -c "trap '' TERM; while :; do sleep 0.1; : ${job}; done"`,
	]);
	const alive = () => [left, job, bare].flatMap((seconds) => processesWith(`${seconds}`)).filter((pid) => pid !== server.pid);
	// The shell has answered before the last of them has become a `sleep`.
	await expect.poll(() => alive().length).toBeGreaterThanOrEqual(4);
	server.kill("SIGKILL");
	await once(server, "exit");
	await expect.poll(alive).toEqual([]);

	const shell = createShell({ home, logger: silentLogger, secrets: [], shelldPath, env: { ...process.env, SHELL: "/bin/true" } });
	const one = conversationId("one");
	const [bash, output] = shell.tools(one, home);
	const call = { toolCallId: "call", signal: new AbortController().signal, output: () => undefined };
	expect(await output?.run({ bash_id: "bash_3" }, call)).toMatchObject({
		ok: false,
		text: expect.stringContaining("was lost when the server"),
	});
	expect(shell.finishedNotes(one)).toHaveLength(3);
	expect(shell.jobs(one).map((entry) => entry.status)).toEqual(["lost", "lost", "lost"]);
	expect((await bash?.run({ command: "echo $KEPT" }, call))?.text).toMatch(/^1\n/);
	await shell.close();
	rmSync(dirname(shelldPath), { recursive: true });
	rmSync(home, { recursive: true, force: true });
});

test("[SH43] when the shell process dies it is replaced, its commands are reported lost and leave nothing behind", async () => {
	const bed = await openShellBed();
	const seconds = uniqueSeconds();
	await bed.out("A=1");
	const shelld = Number(await bed.out("echo $PPID"));
	const changes: string[] = [];
	bed.shell.onJob((job) => changes.push(job.status));
	const done = await bed.call("Bash", { command: "echo over", run_in_background: true });
	await expect.poll(() => changes).toContain("exited");
	await bed.call("Bash", { command: `setsid sleep ${seconds}`, run_in_background: true });
	const waiting = bed.call("Bash", { command: `sleep ${seconds}` });
	const person = bed.shell.exec({
		command: `echo seen; sleep ${seconds}`,
		defaultCwd: bed.work,
		onOutput: () => process.kill(shelld, "SIGKILL"),
	});
	expect(await waiting).toMatchObject({
		ok: false,
		text: expect.stringMatching(/^\[`sleep \d+` is lost: the shell process failed \(SIGKILL\)/),
	});
	expect(await person.done).toMatchObject({ end: "lost", exitCode: null, output: expect.stringContaining("seen\n") });
	await expect.poll(() => processesWith(`sleep ${seconds}`)).toEqual([]);
	expect(changes.at(-1)).toBe("lost");
	const first = /bash_\d+/.exec(done.text)?.[0];
	for (const bash_id of [first, "bash_2"]) expect((await bed.call("BashOutput", { bash_id })).text).toContain("was lost");
	expect(await bed.out("echo $A")).toBe("1");
	await bed.close();
});

test("[SH44] closing ends everything, lets traps run first, and leaves no process", async () => {
	const bed = await openShellBed();
	const shelld = Number(await bed.out("echo $PPID"));
	const seconds = uniqueSeconds();
	await bed.call("Bash", {
		command: `trap 'echo bye > said; exit' TERM; touch ready; while :; do sleep 0.05; done`,
		run_in_background: true,
	});
	await bed.call("Bash", { command: `(setsid sleep ${seconds} >/dev/null 2>&1 &)` });
	const waiting = bed.exec(`sleep ${seconds}`);
	await expect.poll(() => readdirSync(bed.work)).toContain("ready");
	await bed.shell.close();
	expect(readdirSync(bed.work)).toContain("said");
	expect(processesWith(`sleep ${seconds}`)).toEqual([]);
	expect(childrenOf(process.pid).filter(({ pid }) => pid === shelld)).toEqual([]);
	expect(await waiting).toMatchObject({ end: expect.stringMatching(/^(killed|lost)$/) });
	expect(await bed.exec("echo no")).toMatchObject({ exitCode: 126, output: "The server is shutting down.\n" });
	expect(await bed.call("Bash", { command: "echo no" })).toMatchObject({ ok: false, text: expect.stringContaining("is lost") });
	expect(await bed.call("BashOutput", { bash_id: "bash_1" })).toMatchObject({ ok: false });
	await bed.close();
});

test("[SH112] what fails inside the shell process costs no other command: a state that cannot be removed", async () => {
	const bed = await openShellBed();
	const running = bed.exec("while [ ! -e go ]; do sleep 0.05; done; echo survived", { conversation: conversationId("other") });
	// Removing it as a file fails, as it does on a disk that is read-only.
	mkdirSync(join(bed.home, "shell/conversations/one/state.json"), { recursive: true });
	bed.shell.restart(conversationId("one"));
	expect(await bed.out("echo next")).toBe("next");
	writeFileSync(join(bed.work, "go"), "");
	expect(await running).toMatchObject({ exitCode: 0, output: "survived\n" });
	await bed.close();
});

test("[SH49] a shell that can not start says so in the output instead of hanging", async () => {
	const bed = await openShellBed({ shelldPath: join(tmpdir(), "no-such-shelld.js") });
	expect(await bed.exec("echo hi")).toMatchObject({ end: "lost", output: expect.stringContaining("the command is lost") });
	expect(await bed.call("Bash", { command: "echo hi" })).toMatchObject({
		ok: false,
		text: expect.stringContaining("the shell process failed"),
	});
	await bed.close();
	const nobash = await openShellBed({ env: { PATH: "/nowhere", SHELL: "/nowhere/sh", HOME: "/" } });
	expect(await nobash.exec("echo hi")).toMatchObject({
		exitCode: 127,
		output: expect.stringContaining("bash could not be started. Install bash"),
	});
	await nobash.close();
});

test("[SH49] from the sources it starts as well", async () => {
	const bed = await openShellBed({ shelldPath: join(import.meta.dirname, "../../../packages/shell/src/daemon/shelld.ts") });
	expect(await bed.out("echo hi")).toBe("hi");
	await bed.close();
});

test("[SH17] two servers on different homes do not touch each other's processes", async () => {
	const [first, second] = await Promise.all([openShellBed(), openShellBed()]);
	const seconds = uniqueSeconds();
	await first.call("Bash", { command: `sleep ${seconds}`, run_in_background: true });
	await second.call("Bash", { command: "sleep 100 & echo" });
	await second.reopen();
	await second.out("true");
	await second.close();
	expect(processesWith(`sleep ${seconds}`)).toHaveLength(1);
	await first.close();
	expect(processesWith(`sleep ${seconds}`)).toEqual([]);
});

async function startServer(home: string, shelldPath: string, commands: string[]): Promise<ChildProcess> {
	const server = spawn(
		process.execPath,
		["--import", "tsx", join(import.meta.dirname, "shell-server-fixture.ts"), home, shelldPath, ...commands],
		{
			stdio: ["ignore", "pipe", "inherit"],
			cwd: import.meta.dirname,
		},
	);
	if (server.stdout === null) throw new Error("no output");
	await once(server.stdout, "data");
	return server;
}
