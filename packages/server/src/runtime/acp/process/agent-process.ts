import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import type { Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { settlesInTime } from "../../../core/kernel/with-timeout.ts";
import { findDescendants, kill, killMarked } from "../../marked-processes.ts";
import type { Mark } from "../../markers.ts";
import { createOutputTail, type OutputTail } from "./output-tail.ts";

/** One running agent, in a process group of its own. */
export interface AgentProcess {
	readonly pid: number;
	readonly stdin: Writable;
	readonly stdout: Readable;
	readonly stderr: OutputTail;
	/** Resolves when it has ended and what it wrote before is read, or when a child of it keeps the pipe open for longer than a moment. */
	readonly exited: Promise<AgentExit>;
	/** Whether a signal or a debugger has stopped it. False where the system does not say. */
	isStopped(): Promise<boolean>;
	/** Kills it and everything that it started, wherever that moved; resolves when it is dead. Twice is fine. */
	kill(): Promise<void>;
}

export interface AgentExit {
	code: number | null;
	signal: string | null;
}

export interface AgentCommand {
	command: readonly string[];
	/** Must exist. */
	cwd: string;
	env: Record<string, string>;
	/** Its marker is also in `env`. */
	mark: Mark;
}

/** What a dead process wrote is in the pipe already; only a child that holds the pipe keeps it open longer. */
const DRAIN_MS = 200;
/** A process that was sent SIGKILL and is still there waits for a disk or a debugger; nobody waits for it. */
const KILL_LIMIT_MS = 5_000;

/** Rejects when there is no such program or it cannot be run; the error is the system's own. */
export async function startAgentProcess(wanted: AgentCommand, clock: Clock): Promise<AgentProcess> {
	const [program = "", ...args] = wanted.command;
	const { cwd, env, mark } = wanted;
	const child = mark.start(() => spawn(program, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] }));
	await spawned(child);
	const { pid, stdin, stdout } = child;
	if (pid === undefined) throw new AppError("internal", "A process without an id.");
	const stderr = createOutputTail();
	child.stderr.on("data", stderr.push);
	child.stderr.on("error", ignore);
	let isDead = false;
	const dead = new Promise<AgentExit>((resolve) =>
		child.once("exit", (code, signal) => {
			isDead = true;
			resolve({ code, signal });
		}),
	);
	const drained = new Promise<void>((resolve) => child.once("close", () => resolve()));
	const exited = dead.then(async (how) => {
		// A reader that is behind must not keep the end of the turn.
		stdout.resume();
		await settlesInTime(clock, DRAIN_MS, drained);
		return how;
	});
	let killing: Promise<void> | undefined;

	async function end(id: number): Promise<void> {
		// Read while their parents live: where processes cannot be marked, a child without our environment is nobody's afterwards.
		const children = isDead ? [] : await findDescendants(id);
		// The number of one that has ended may belong to somebody else by now; what it left has the marker.
		if (!isDead || process.platform !== "linux") kill(-id);
		for (const child of children) kill(child);
		await killMarked(clock, (found) => found === mark.marker);
		await settlesInTime(clock, KILL_LIMIT_MS, dead);
		stdout.destroy();
		stdin.destroy();
		child.stderr?.destroy();
	}

	return {
		...{ pid, stdin, stdout, stderr, exited },
		isStopped: () => isStopped(pid),
		kill() {
			killing ??= end(pid);
			return killing;
		},
	};
}

async function isStopped(pid: number): Promise<boolean> {
	const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
	// The state stands behind the name, which may hold anything.
	return /^ [Tt]/.test(stat.slice(stat.lastIndexOf(")") + 1));
}

function spawned(child: ChildProcess): Promise<void> {
	return new Promise((resolve, reject) => {
		child.once("spawn", resolve);
		child.once("error", reject);
		// An error after the start, such as a kill that failed, must not end the server.
		child.on("error", ignore);
	});
}

const ignore = () => undefined;
