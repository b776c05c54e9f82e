import { fork } from "node:child_process";
import { dirname } from "node:path";
import type { FolderProcess, FolderProcessListener } from "./folder-processes.ts";
import { isFolderReply } from "./folder-protocol.ts";

/** Threads that may wait for a dead mount while others still get their answers. */
const THREADS = 16;

/** Starts the folder process; it ends with this one. */
export function forkFolderProcess(entry: string, listener: FolderProcessListener): FolderProcess {
	const child = fork(entry, [], {
		execArgv: entry.endsWith(".ts") ? ["--import", "tsx"] : ["--max-old-space-size=128"],
		// Nothing of ours: it needs no secret to look at a folder.
		env: { UV_THREADPOOL_SIZE: String(THREADS) },
		stdio: ["ignore", "ignore", "ignore", "ipc"],
		cwd: dirname(entry),
		// A signal to the server's group is the server's business.
		detached: true,
	});
	child.on("message", (message) => {
		if (isFolderReply(message)) listener.reply(message);
	});
	child.on("error", () => {
		if (child.pid === undefined) listener.exit();
	});
	child.on("exit", () => listener.exit());
	return {
		send: (request) => void child.send(request, () => undefined),
		kill: () => void child.kill("SIGKILL"),
	};
}
