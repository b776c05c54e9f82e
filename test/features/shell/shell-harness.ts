import { readdirSync, readFileSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { type ConversationId, conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import { silentLogger } from "../../../packages/server/src/core/kernel/logger.ts";
import type { ToolResult } from "../../../packages/server/src/core/ports/agent-tool.ts";
import type { ExecResult, Shell } from "../../../packages/server/src/core/ports/shell.ts";
import { createShell, type ShellDeps } from "../../../packages/server/src/shell/service/create-shell.ts";

/** A shell on a home and a work directory of its own. */
export interface ShellBed {
	readonly home: string;
	readonly work: string;
	readonly shell: Shell;
	/** Calls a tool of a conversation (`one` unless told). */
	call(tool: "Bash" | "BashOutput" | "KillBash", args: unknown, options?: CallOptions): Promise<ToolResult>;
	/** The output of a command without the line that says how it ended. */
	out(command: string, options?: CallOptions): Promise<string>;
	/** A person's command. */
	exec(command: string, options?: { conversation?: ConversationId | null; onOutput?(text: string): void }): Promise<ExecResult>;
	/** Another server on the same home. */
	reopen(): Promise<void>;
	close(): Promise<void>;
}

export interface CallOptions {
	conversation?: ConversationId;
	signal?: AbortSignal;
	onOutput?(text: string): void;
	/** As a rule lets it run. */
	freshIn?: string;
}

export const one = conversationId("one");

export async function openShellBed(deps: Partial<ShellDeps> = {}): Promise<ShellBed> {
	const home = await realpath(await mkdtemp(join(tmpdir(), "rightseat-shell-")));
	const work = join(home, "work");
	await mkdir(work);
	const shelldPath = deps.shelldPath ?? (await buildShelld());
	// A login shell of this machine may do anything; the tests of it bring their own.
	const env = { ...process.env, SHELL: "/bin/true" };
	const open = () => createShell({ home, logger: silentLogger, secrets: [], env, ...deps, shelldPath });
	let shell = open();

	const call: ShellBed["call"] = async (
		name,
		args,
		{ conversation = one, signal = new AbortController().signal, onOutput = () => undefined, freshIn } = {},
	) => {
		const tool = shell.tools(conversation, work).find((candidate) => candidate.name === name);
		if (tool === undefined) throw new Error(`no tool ${name}`);
		return tool.run(args, { toolCallId: "call", signal, output: onOutput, freshIn });
	};
	return {
		home,
		work,
		get shell() {
			return shell;
		},
		call,
		async out(command, options) {
			const { text } = await call("Bash", { command }, options);
			return text.replace(/\n?\[[^\n]*took [^\n]*\]$/, "");
		},
		exec(command, { conversation = one, onOutput = () => undefined } = {}) {
			const where = conversation === null ? {} : { conversationId: conversation };
			return shell.exec({ ...where, command, defaultCwd: work, onOutput }).done;
		},
		async reopen() {
			await shell.close();
			shell = open();
		},
		async close() {
			await shell.close();
			rmSync(home, { recursive: true, force: true });
			if (deps.shelldPath === undefined) rmSync(dirname(shelldPath), { recursive: true, force: true });
		},
	};
}

/** The shell process as the build makes it; inside node_modules, so that it finds its libraries. Whoever asks removes its directory. */
export async function buildShelld(): Promise<string> {
	const root = join(import.meta.dirname, "../../..");
	const cache = join(root, "node_modules/.cache/rightseat-test");
	await mkdir(cache, { recursive: true });
	const dir = await mkdtemp(join(cache, "shelld-"));
	const bundle = await rolldown({
		input: { shelld: join(root, "packages/shell/src/daemon/shelld.ts") },
		platform: "node",
		external: ["koffi", "re2js"],
	});
	await bundle.write({ dir, format: "esm" });
	return join(dir, "shelld.js");
}

/** Watches how long this process computes without a pause. Time that others had the processor does not count, so a busy machine changes nothing. */
export function watchThread(): { stop(): number } {
	let longestMs = 0;
	let last = process.cpuUsage();
	const timer = setInterval(() => {
		const { user, system } = process.cpuUsage(last);
		longestMs = Math.max(longestMs, (user + system) / 1_000);
		last = process.cpuUsage();
	}, 5);
	return {
		stop() {
			clearInterval(timer);
			return longestMs;
		},
	};
}

/** Living processes whose command line holds this text. */
export function processesWith(text: string): number[] {
	return allProcesses()
		.filter(({ pid, state }) => pid !== process.pid && state !== "Z")
		.filter(({ pid }) => readOrNothing(`/proc/${pid}/cmdline`).replaceAll("\0", " ").includes(text))
		.map(({ pid }) => pid);
}

export function childrenOf(parent: number): { pid: number; state: string }[] {
	return allProcesses().filter((candidate) => candidate.parent === parent);
}

function allProcesses(): { pid: number; state: string; parent: number }[] {
	return readdirSync("/proc").flatMap((name) => {
		const stat = /^\d+$/.test(name) ? readOrNothing(`/proc/${name}/stat`) : "";
		const [state = "", parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
		return stat === "" ? [] : [{ pid: Number(name), state, parent: Number(parent) }];
	});
}

function readOrNothing(path: string): string {
	try {
		return readFileSync(path, "utf8");
	} catch {
		// Ended meanwhile.
		return "";
	}
}

/** A number that no other test sleeps for, to find the process again. */
export function uniqueSeconds(): number {
	return 100_000 + process.pid * 10 + (Math.floor(performance.now() * 1_000) % 10) + Math.floor(Math.random() * 1e9);
}
