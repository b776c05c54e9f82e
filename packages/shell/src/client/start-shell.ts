import { fork } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type CommandEnd, isFromShelld, type KillCause, type ToShelld } from "../daemon/shelld-protocol.ts";
import { childEnvironment } from "../environment/child-env.ts";
import { createCommandClient } from "./command-client.ts";

/** A shell process of one's own. It is not supervised: once it has died, every command ends as lost. */
export interface ShellProcess {
	/** Starts a command in the shell state of its conversation. */
	run(command: string, options: RunOptions): RunningCommand;
	/** Kills everything and resolves when the process is gone. */
	close(): Promise<void>;
}

export interface RunOptions {
	cwd: string;
	/** Commands of one conversation share variables, functions and directory; without one each has a fresh shell. */
	conversation?: string;
	timeoutMs?: number;
	/** Cleaned text in order, as it comes. */
	onOutput?(text: string): void;
}

export interface RunningCommand {
	/** How bash ended, with the beginning and the end of its output. Never rejects. */
	readonly done: Promise<CommandEnd | { cause: "lost"; reason: string }>;
	/** Kills the whole tree; twice is fine. */
	kill(cause?: KillCause): void;
}

export interface StartShellOptions {
	/** Where state and long output are kept. */
	home: string;
	env?: NodeJS.ProcessEnv;
	/** Names of environment variables that no command may see. */
	secrets?: string[];
	/** The program of the process; a built one starts faster than the source beside this file. */
	entry?: string;
}

const OUTPUT_CHARS = 30_000;

/** Starts a shell process and returns when it takes commands. */
export async function startShell(options: StartShellOptions): Promise<ShellProcess> {
	const { home, secrets = [], entry = fileURLToPath(new URL("../daemon/shelld.ts", import.meta.url)) } = options;
	const env = childEnvironment(options.env ?? process.env, secrets);
	const child = fork(entry, [], { env, cwd: dirname(entry), execArgv: entry.endsWith(".ts") ? ["--import", "tsx"] : [], detached: true });
	const exited = once(child, "exit");
	const commands = createCommandClient(send);
	let isGone = false;

	function send(message: ToShelld): boolean {
		// The channel may look open for a moment after the end; whoever waited for an answer then would wait for ever.
		if (isGone || !child.connected) return false;
		// What cannot be written any more is lost with the process, which is told by its exit.
		child.send(message, () => undefined);
		return true;
	}

	child.on("message", (message) => {
		if (isFromShelld(message)) commands.receive(message);
	});
	child.on("exit", () => {
		isGone = true;
		commands.loseAll("the shell process has ended");
	});
	await once(child, "message");
	send({ kind: "init", home, env, secrets });
	return {
		run(command, { cwd, conversation, timeoutMs, onOutput }) {
			const limits = { timeoutMs: timeoutMs ?? null, onTimeout: "kill" as const, limit: OUTPUT_CHARS };
			const request = { conversation: conversation ?? null, command, cwd, fallbackCwd: cwd, background: false, want: "model" as const };
			let key = "";
			const done: RunningCommand["done"] = new Promise((resolve) => {
				key = commands.run(
					{ ...request, ...limits },
					{ live: onOutput, end: resolve, lost: (reason) => resolve({ cause: "lost", reason }) },
				);
			});
			return { done, kill: (cause = "killed") => commands.kill(key, cause) };
		},
		async close() {
			send({ kind: "close" });
			await exited;
		},
	};
}
