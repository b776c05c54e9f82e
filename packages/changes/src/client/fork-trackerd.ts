import { fork } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type FromTrackerd, isFromTrackerd, type ToTrackerd } from "../daemon/tracker-protocol.ts";

/** A recorder's process that runs. */
export interface TrackerdProcess {
	send(message: ToTrackerd): void;
	kill(): void;
}
export interface TrackerdListener {
	message(message: FromTrackerd): void;
	/** It is gone, however it ended; said once. */
	end(because: string): void;
	/** What it wrote to its log. */
	log(text: string): void;
}

/** Threads that look for folders; one that a dead disk holds is lost to the others. */
const LOOKUP_THREADS = "8";
/** Memory for speed is the wrong trade in a process that mostly waits: with these a tree of 62,000 files takes 115 MB instead of 200. */
const SMALL = ["--max-old-space-size=256", "--max-semi-space-size=1", "--optimize-for-size"];
/** Each thread would have its own, with what files were read into. */
const ARENAS = "2";
const MAX_LOGGED_CHARS = 2_000;

/** Starts a recorder's process; it ends with this one. A built `entry` starts faster than the source. */
export function forkTrackerd(entry: string, env: NodeJS.ProcessEnv, listener: TrackerdListener): TrackerdProcess {
	const child = fork(entry, [], {
		execArgv: entry.endsWith(".ts") ? ["--import", "tsx"] : SMALL,
		env: { ...env, UV_THREADPOOL_SIZE: LOOKUP_THREADS, MALLOC_ARENA_MAX: ARENAS },
		cwd: dirname(entry),
		stdio: ["ignore", "ignore", "pipe", "ipc"],
		// Bytes of files travel as they are.
		serialization: "advanced",
		// A signal to the server's group is the server's business; it will tell.
		detached: true,
	});
	let over = false;
	function end(because: string): void {
		if (over) return;
		over = true;
		listener.end(because);
	}
	child.stderr?.on("data", (chunk: Buffer) => listener.log(chunk.toString("utf8").slice(0, MAX_LOGGED_CHARS)));
	child.on("message", (message) => {
		if (isFromTrackerd(message)) listener.message(message);
	});
	child.on("error", (error) => end(error.message));
	child.on("exit", (code, signal) => end(signal ?? `exit code ${code}`));
	return {
		send: (message) => void child.send(message, () => undefined),
		kill: () => void child.kill("SIGKILL"),
	};
}

/** The source in this package; the build puts one file beside the server's. */
export const trackerdSource = (): string => fileURLToPath(new URL("../daemon/trackerd.ts", import.meta.url));
