import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { FromShelld, RunRequest } from "../daemon/shelld-protocol.ts";
import { withoutNative } from "../process/native.ts";
import { createProcesses, type ProcessEntry } from "../process/processes.ts";
import { createStateStore } from "../state/state-store.ts";
import { type CommandDeps, startCommand } from "./command.ts";

const directory = mkdtempSync(join(tmpdir(), "rightseat-command-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const REQUEST: RunRequest = {
	key: "1",
	conversation: "c",
	command: ":",
	cwd: "/",
	fallbackCwd: "/",
	timeoutMs: null,
	onTimeout: "kill",
	background: false,
	want: "model",
	limit: 1_000,
};

/** No process has this number, so signals to it reach nobody. */
const STUCK: ProcessEntry = {
	pid: 99_999_999,
	parent: 1,
	group: 99_999_999,
	session: 99_999_999,
	start: "1",
	zombie: false,
	tag: "tag.1",
};

function deps(sent: FromShelld[], more: Partial<CommandDeps> = {}): CommandDeps {
	return {
		env: Promise.resolve({ PATH: process.env.PATH ?? "" }),
		bash: Promise.resolve("bash"),
		runDirectory: directory,
		tag: (key) => `tag.${key}`,
		native: withoutNative,
		started: new Set(),
		processes: { table: async () => new Map([[STUCK.pid, STUCK]]), commandLine: async () => "stuck" },
		orphans: () => ({ any: () => true, claim: () => undefined, strays: () => [], settled: () => undefined }),
		states: createStateStore((conversation) => join(directory, conversation)),
		openOutputFile: () => undefined,
		send: (message) => sent.push(message),
		onEnded: () => undefined,
		giveUpMs: 10,
		...more,
	};
}

test("[SH101] a job whose process cannot be ended is given up and names it, instead of being waited for", async () => {
	const sent: FromShelld[] = [];
	const command = startCommand(REQUEST, deps(sent));
	await expect.poll(() => sent.at(-1)).toMatchObject({ kind: "end", end: { leftovers: [{ pid: STUCK.pid }] } });
	await command.kill("killed");
	expect(sent.at(-1)).toEqual({ kind: "gone", key: "1", cause: "killed", survivors: [STUCK.pid] });
	expect(command.ended).toBe(true);
});

const noProcesses = { table: async () => new Map(), commandLine: async () => "" };

test("[SH103] a directory that never answers fails the command that wanted it, says so, and moves the shell away from it", async () => {
	// A bash that never gets to its directory, as on a mount whose server is gone.
	const stuck = join(directory, "stuck");
	mkdirSync(stuck);
	writeFileSync(join(stuck, "bash"), "#!/bin/sh\nexec sleep 100\n");
	chmodSync(join(stuck, "bash"), 0o700);
	const sent: FromShelld[] = [];
	const bash = Promise.resolve(join(stuck, "bash"));
	const request = { ...REQUEST, key: "2", cwd: "/dead/mount", fallbackCwd: "/usr" };
	startCommand(request, deps(sent, { bash, enterLimitMs: 50, processes: createProcesses() }));
	await expect
		.poll(() => sent.at(-1))
		.toMatchObject({
			kind: "end",
			end: {
				cause: "exited",
				exitCode: 126,
				signal: null,
				cwd: "/usr",
				output: expect.stringContaining("/dead/mount does not answer, so the command was not run."),
			},
		});
});

test("[SH9] a directory that is gone, or that is none, is replaced and named", async () => {
	const file = join(directory, "file");
	writeFileSync(file, "");
	for (const [key, cwd] of [
		["4", file],
		["5", join(directory, "gone")],
	] as const) {
		const sent: FromShelld[] = [];
		startCommand({ ...REQUEST, key, cwd, fallbackCwd: "/usr", command: "pwd" }, deps(sent, { processes: noProcesses }));
		await expect
			.poll(() => sent.at(-1))
			.toMatchObject({
				kind: "end",
				end: { output: "/usr\n", cwd: "/usr", notices: [`${cwd} is not there any more; the command runs in /usr`] },
			});
	}
});

test("[SH100] a command's end is told although its state cannot be kept", async () => {
	const sent: FromShelld[] = [];
	const states = createStateStore(() => join(directory, "file", "below"));
	writeFileSync(join(directory, "file"), "");
	startCommand({ ...REQUEST, key: "6", command: "A=1; echo done" }, deps(sent, { states, processes: noProcesses }));
	await expect
		.poll(() => sent.at(-1))
		.toMatchObject({
			kind: "end",
			end: { exitCode: 0, output: "done\n", notices: [expect.stringContaining("may not be kept: ENOTDIR")] },
		});
});
