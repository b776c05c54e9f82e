import { fork } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { cutText } from "@rightseat/protocol/text";
import { type FromShelld, isFromShelld, type ToShelld } from "@rightseat/shell/daemon/shelld-protocol";
import type { Logger } from "../../core/kernel/logger.ts";

/** A shell process that runs. */
export interface ShelldProcess {
	send(message: ToShelld): void;
	kill(): void;
}
export interface ShelldListener {
	message(message: FromShelld): void;
	/** It is gone, however it ended; said once. */
	end(because: string): void;
}
export interface ForkShelldOptions {
	/** Also what its commands get: others can read the environment of a parent. */
	env: Record<string, string>;
	path?: string | undefined;
	logger: Logger;
}

/** Output is garbage as soon as it is cleaned: with V8's own 16 MB for what is young, a flood of it grows the process by twice as much, no faster. */
const SMALL = ["--max-old-space-size=256", "--max-semi-space-size=4"];
const MAX_LOGGED_CHARS = 2_000;

/** Starts a shell process; it ends with this one. */
export function forkShelld({ env, path = defaultShelldPath(), logger }: ForkShelldOptions, listener: ShelldListener): ShelldProcess {
	const child = fork(path, [], {
		execArgv: path.endsWith(".ts") ? ["--import", "tsx"] : SMALL,
		env,
		cwd: dirname(path),
		stdio: ["ignore", "ignore", "pipe", "ipc"],
		// A signal to the server's group is the server's business; it will tell.
		detached: true,
	});
	child.stderr?.on("data", (chunk: Buffer) =>
		logger.warn({ text: cutText(chunk.toString("utf8"), MAX_LOGGED_CHARS) }, "shell process wrote to its log"),
	);
	child.on("message", (message) => {
		if (isFromShelld(message)) listener.message(message);
	});
	let over = false;
	function end(because: string) {
		if (over) return;
		over = true;
		listener.end(because);
	}
	child.on("error", (error) => end(error.message));
	child.on("exit", (code, signal) => end(signal ?? `exit code ${code}`));
	return {
		send(message) {
			child.send(message, (error) => {
				if (error) logger.debug({ err: error }, "shell process did not take a message");
			});
		},
		kill: () => void child.kill("SIGKILL"),
	};
}

/** The source in its package, or what the build put beside this file. */
function defaultShelldPath(): string {
	const beside = (name: string) => fileURLToPath(new URL(name, import.meta.url));
	return [beside("./shelld.js"), beside("../../../../shell/src/daemon/shelld.ts")].find(existsSync) ?? beside("./shelld.js");
}
