import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { FromShelld, RunRequest } from "../shelld-protocol.ts";
import { type CommandDeps, startCommand } from "./command.ts";
import { withoutNative } from "./native.ts";
import type { ProcessEntry } from "./processes.ts";
import { createStateStore } from "./state-store.ts";

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
		runDirectory: directory,
		tag: (key) => `tag.${key}`,
		native: withoutNative,
		started: new Set(),
		processes: { table: () => new Map([[STUCK.pid, STUCK]]), commandLine: () => "stuck" },
		orphans: () => ({ any: () => true, claim: () => undefined, strays: () => [] }),
		states: createStateStore((conversation) => join(directory, conversation)),
		openSpill: () => undefined,
		send: (message) => sent.push(message),
		onEnded: () => undefined,
		giveUpMs: 10,
		...more,
	};
}

test("[SH101] a job whose process cannot be ended is given up and names it, instead of being waited for", async () => {
	const sent: FromShelld[] = [];
	const command = startCommand(REQUEST, deps(sent));
	await expect.poll(() => sent.at(-1), { timeout: 5_000 }).toMatchObject({ kind: "end", end: { leftovers: [{ pid: STUCK.pid }] } });
	await command.kill("killed");
	expect(sent.at(-1)).toEqual({ kind: "gone", key: "1", cause: "killed", survivors: [STUCK.pid] });
	expect(command.ended).toBe(true);
});
