import { fork } from "node:child_process";
import { dirname } from "node:path";

/** A git process that runs. */
export interface GitProcess {
	send(message: object): void;
	kill(): void;
}
export interface GitProcessListener {
	message(message: unknown): void;
	/** It is gone, however it ended; said once. */
	exit(): void;
}

/** Starts a git process; it ends with this one. `env` is what git, its hooks and helpers get. */
export function forkGitProcess(entry: string, env: Readonly<Record<string, string>>, listener: GitProcessListener): GitProcess {
	const child = fork(entry, [], {
		execArgv: entry.endsWith(".ts") ? ["--import", "tsx"] : ["--max-old-space-size=256"],
		env: { ...env },
		stdio: ["ignore", "ignore", "ignore", "ipc"],
		cwd: dirname(entry),
		// A signal to the server's group is the server's business.
		detached: true,
	});
	let isOver = false;
	function end() {
		if (isOver) return;
		isOver = true;
		listener.exit();
	}
	child.on("message", (message) => listener.message(message));
	child.on("error", () => {
		if (child.pid === undefined) end();
	});
	child.on("exit", end);
	return {
		send: (message) => void child.send(message, () => undefined),
		kill: () => void child.kill("SIGKILL"),
	};
}
