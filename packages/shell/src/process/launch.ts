import { spawn } from "node:child_process";
import { closeSync, fstatSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { parseSnapshot, type Snapshot } from "../state/snapshot.ts";
import { wrapCommand } from "../state/wrapper.ts";
import type { Target } from "./kill.ts";
import type { Native } from "./native.ts";
import { startTime, TAG_VARIABLE } from "./processes.ts";
import { ShellUnavailable } from "./shell-unavailable.ts";

/** One bash, started. */
export interface BashProcess {
	target: Target;
	/** Both outputs in the order they were written; a chunk is only valid during the call. */
	onData(listener: (chunk: Buffer) => void): void;
	/** The last process that held the output open has closed it. */
	onClose(listener: () => void): void;
	pause(): void;
	resume(): void;
	onExit(listener: (code: number | null, signal: NodeJS.Signals | null) => void): void;
	/** The state that the command left, if it got so far; removes the files of the command. */
	takeSnapshot(): Snapshot | "too-large" | undefined;
	/** Where bash began, and why it is not where it was meant to; undefined while it is on the way. Asked before the snapshot is taken. */
	entered(): { directory: string; trouble: string } | undefined;
}

export interface LaunchOptions {
	key: string;
	command: string;
	/** Where the command belongs, then where it may run when that is gone. */
	directories: readonly string[];
	sayMoved?: boolean;
	/** In the first directory, which is its real path, or not at all. */
	exactly?: boolean;
	/** The program itself. */
	bash: string;
	env: Record<string, string>;
	tag: string;
	runDirectory: string;
	restore: string | null;
	native: Native;
	/** Processes that this process has started itself. */
	started: Set<number>;
}

/** A state larger than this would make every later command slow. */
export const MAX_SNAPSHOT_BYTES = 4 * 1_048_576;

/** Starts bash with the command. Throws when that is not possible. */
export function launch(options: LaunchOptions): BashProcess {
	const { key, native, started, tag, directories, sayMoved = false, exactly = false } = options;
	const path = (kind: string) => join(options.runDirectory, `${key}.${kind}`);
	const files = { command: path("cmd"), snapshot: path("snap"), names: path("names"), entered: path("cwd"), restore: options.restore };
	function removeFiles(): void {
		for (const file of [files.command, files.snapshot, files.names, files.entered]) rmSync(file, { force: true });
	}
	writeFileSync(files.command, options.command, { mode: 0o600 });
	for (const file of [files.snapshot, files.names, files.entered]) writeFileSync(file, "", { mode: 0o600 });

	const pipe = native.pipe();
	// An own session: no terminal to ask for passwords, and a group that can be ended as one.
	const script = wrapCommand({ ...files, directories, sayMoved, exactly, mergeErrors: pipe === undefined });
	const child = spawn(options.bash, ["--noprofile", "--norc", "-c", script, "bash"], {
		// Never the command's own: this process waits until the new one is there, and on a dead mount it never is.
		cwd: "/",
		env: { ...options.env, PWD: "/", [TAG_VARIABLE]: tag },
		stdio: pipe === undefined ? ["ignore", "pipe", "ignore"] : ["ignore", pipe.write, pipe.write],
		detached: true,
	});
	child.on("error", () => undefined);
	const { pid } = child;
	if (pipe !== undefined) closeSync(pipe.write);
	if (pid === undefined) {
		if (pipe !== undefined) closeSync(pipe.read);
		removeFiles();
		throw new ShellUnavailable("bash could not be started. Install bash and make sure that it is on the PATH.");
	}
	started.add(pid);
	child.on("exit", () => started.delete(pid));
	let listener: (chunk: Buffer) => void = () => undefined;
	const stream = pipe === undefined ? child.stdout : openPipe(pipe.read, (chunk) => listener(chunk));
	if (stream === null) throw new ShellUnavailable("bash was started without an output.");
	stream.on("error", () => undefined);
	if (pipe === undefined) stream.on("data", (chunk: Buffer) => listener(chunk));
	stream.resume();
	return {
		target: {
			pid,
			start: startTime(pid),
			tag,
			pipe: pipe === undefined ? undefined : fstatSync(pipe.read).ino,
			settledAt: undefined,
			orphans: new Set(),
		},
		onData(next) {
			listener = next;
		},
		onClose: (next) => stream.on("close", next),
		pause: () => stream.pause(),
		resume: () => stream.resume(),
		onExit: (listener) => child.on("exit", listener),
		takeSnapshot() {
			try {
				const size = statSync(files.snapshot, { throwIfNoEntry: false })?.size ?? 0;
				if (size > MAX_SNAPSHOT_BYTES) return "too-large";
				return size === 0 ? undefined : parseSnapshot(readFileSync(files.snapshot));
			} finally {
				removeFiles();
			}
		},
		entered() {
			const text = readOr(files.entered, directories[0] ?? "/");
			const [directory = "", trouble = ""] = text.split("\0");
			return directory === "" ? undefined : { directory, trouble };
		},
	};
}

/** Only the command itself can have removed the file, and for that it had to get there. */
function readOr(path: string, fallback: string): string {
	try {
		return readFileSync(path, "utf8");
	} catch (error) {
		if (!(error instanceof Error)) throw error;
		return fallback;
	}
}

const READ_BYTES = 65_536;

/** Reads into one buffer again and again; a new one for each read costs twice the time and much memory. */
function openPipe(fd: number, listener: (chunk: Buffer) => void): Socket {
	const buffer = Buffer.allocUnsafe(READ_BYTES);
	const onread = {
		buffer,
		callback(bytes: number) {
			listener(buffer.subarray(0, bytes));
			return true;
		},
	};
	const options = { fd, readable: true, writable: false, onread };
	return new Socket(options);
}
