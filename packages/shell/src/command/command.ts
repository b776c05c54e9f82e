import { homedir } from "node:os";
import type { CommandEnd, EndCause, FromShelld, RunRequest } from "../daemon/shelld-protocol.ts";
import { LIVE_INTERVAL_MS } from "../output/live-feed.ts";
import { createOutput, HEAD_CHARS, type Output } from "../output/output.ts";
import type { SpillFile } from "../output/spill-file.ts";
import { type Killed, killTargets, membersOf, type Target } from "../process/kill.ts";
import { type Launched, launch } from "../process/launch.ts";
import type { Native } from "../process/native.ts";
import type { Orphans } from "../process/orphans.ts";
import type { Processes } from "../process/processes.ts";
import type { StateRun, StateStore } from "../state/state-store.ts";
import { takeState } from "../state/take-state.ts";

/** One command from start to the end of its last process. */
export interface Command {
	readonly request: RunRequest;
	readonly output: Output;
	/** Undefined before the start and after the end. */
	readonly target: Target | undefined;
	/** Runs on with nobody waiting for it. */
	readonly inBackground: boolean;
	readonly ended: boolean;
	/** Ends the whole tree; the first cause counts. */
	kill(cause: Exclude<EndCause, "exited">): Promise<void>;
	/** Looks whether processes that were left behind are still there. */
	check(): void;
}

export interface CommandDeps {
	/** Environment of a fresh command. */
	env: Promise<Record<string, string>>;
	/** The bash to run; rejects with what to do when there is none. */
	bash: Promise<string>;
	runDirectory: string;
	tag(key: string): string;
	native: Native;
	started: Set<number>;
	processes: Processes;
	orphans(): Orphans;
	states: StateStore;
	openSpill(): SpillFile | undefined;
	send(message: FromShelld): void;
	/** The command and all its processes are gone. */
	onEnded(): void;
	/** How long entering the directory may take. */
	enterLimitMs?: number;
	/** How long KILL may take before its survivors are named. */
	giveUpMs?: number;
}

/** Output of a background child may still come after bash itself has ended; this long nobody minds waiting. */
const DRAIN_QUIET_MS = 100;
const DRAIN_MAX_MS = 500;
const DRAIN_STEP_MS = 20;
/** A disk that has to spin up, or a network folder that is mounted at first use, takes seconds. */
const ENTER_LIMIT_MS = 15_000;
/** What a shell says of a command that cannot be run. */
const CANNOT_RUN = 126;
/** A background flood is slowed down once its file is full: nothing of it can be kept any more. */
const FLOOD_AFTER_BYTES = 64 * 1_048_576;
const FLOOD_BYTES_PER_STEP = 4 * 1_048_576;
const FLOOD_STEP_MS = 100;

export function startCommand(request: RunRequest, deps: CommandDeps): Command {
	const { key } = request;
	const began = performance.now();
	const askedAt = deps.states.tick();
	const output = createOutput(deps.openSpill);
	const notices: string[] = [];
	let cwd = request.cwd;
	let cwdAfter: string | null = null;
	let run: StateRun | undefined;
	let launched: Launched | undefined;
	let inBackground = request.background;
	let phase: "starting" | "running" | "left" | "ended" = "starting";
	let cause: EndCause | undefined;
	let exit: { code: number | null; signal: NodeJS.Signals | null; at: number } | undefined;
	let endSent = false;
	let closed = false;
	let lastDataAt = 0;
	let killing: Promise<Killed> | undefined;
	let killed: Killed | undefined;
	let liveTimer: NodeJS.Timeout | undefined;
	let timeout: NodeJS.Timeout | undefined;
	let enterTimer: NodeJS.Timeout | undefined;
	let unreachable: string | undefined;

	const start = async () => {
		const env = await deps.env;
		if (cause !== undefined) return settle();
		try {
			run = request.conversation === null ? undefined : deps.states.begin(request.conversation, askedAt);
			const bash = await deps.bash;
			if (cause !== undefined) return settle();
			launched = launch({
				...deps,
				bash,
				key,
				command: request.command,
				directories: [request.cwd, request.fallbackCwd, homedir()],
				sayMoved: request.want === "head",
				env,
				tag: deps.tag(key),
				restore: run?.restore ?? null,
			});
		} catch (error) {
			output.push(Buffer.from(`${error instanceof Error ? error.message : String(error)}\n`));
			exit = { code: 127, signal: null, at: performance.now() };
			return settle();
		}
		phase = "running";
		deps.send({ kind: "started", key, pid: launched.target.pid });
		readFrom(launched);
		if (request.timeoutMs !== null) timeout = setTimeout(onTimeout, request.timeoutMs);
		enterTimer = setTimeout(onEnterLimit, deps.enterLimitMs ?? ENTER_LIMIT_MS);
	};

	/** Bash still waits for its directory, so nothing of the command has run; only this command fails of it. */
	const onEnterLimit = () => {
		if (phase !== "running" || cause !== undefined || launched?.entered() !== undefined) return;
		unreachable = `${request.cwd} does not answer, so the command was not run. If it lies on a network or removable disk, look at that; the next command runs in ${request.fallbackCwd}.`;
		output.push(Buffer.from(`${unreachable}\n`));
		void kill("killed");
	};

	const readFrom = ({ onData, onClose, onExit, pause, resume }: Launched) => {
		let stepBytes = 0;
		onData((chunk) => {
			lastDataAt = performance.now();
			if (phase === "ended") return;
			output.push(chunk);
			if (!inBackground && liveTimer === undefined) liveTimer = setTimeout(sendLive, LIVE_INTERVAL_MS);
			stepBytes += chunk.length;
			if (!inBackground || output.totalBytes < FLOOD_AFTER_BYTES || stepBytes < FLOOD_BYTES_PER_STEP) return;
			stepBytes = 0;
			pause();
			setTimeout(resume, FLOOD_STEP_MS);
		});
		onClose(() => {
			closed = true;
			if (phase === "left") check();
			else drain();
		});
		onExit((code, signal) => {
			exit = { code, signal, at: performance.now() };
			if (!inBackground) clearTimeout(timeout);
			drain();
		});
	};

	const sendLive = () => {
		liveTimer = undefined;
		if (phase !== "running" || inBackground) return;
		const text = output.takeLive(performance.now());
		if (text !== "") deps.send({ kind: "live", key, text });
		// Something may have been held back for the next piece.
		liveTimer = setTimeout(sendLive, LIVE_INTERVAL_MS);
	};

	/** Settles once bash has ended and its output is complete, or quiet because only a background child holds it open. */
	const drain = () => {
		if (phase !== "running" || exit === undefined) return;
		const now = performance.now();
		const quiet = now - Math.max(lastDataAt, exit.at) >= DRAIN_QUIET_MS || now - exit.at >= DRAIN_MAX_MS;
		if (killing !== undefined && killed === undefined) return;
		if (closed || quiet) settle();
		else setTimeout(drain, DRAIN_STEP_MS);
	};

	const settle = () => {
		if (phase === "left" || phase === "ended") return;
		clearTimeout(liveTimer);
		clearTimeout(enterTimer);
		const jobs = mergeState();
		const left = cause === undefined && launched !== undefined ? findLeftovers(jobs, launched.target) : [];
		if (left.length === 0) output.end();
		if (!inBackground) {
			const text = output.takeLive(Number.POSITIVE_INFINITY);
			if (text !== "") deps.send({ kind: "live", key, text });
		}
		phase = left.length > 0 ? "left" : "ended";
		if (launched !== undefined) deps.orphans().settled(launched.target);
		// Nobody waits for bash itself then; the job ends with its last process.
		if (phase === "left" && inBackground) return;
		sendEnd(left);
		if (phase === "ended") finish();
		else inBackground = true;
	};

	const sendEnd = (left: CommandEnd["leftovers"]) => {
		endSent = true;
		deps.send({ kind: "end", key, end: describeEnd(left) });
	};

	const mergeState = (): number => {
		const taken = takeState(launched, { run, wanted: request.cwd, keep: !inBackground });
		({ cwd, cwdAfter } = taken);
		notices.push(...taken.notices);
		return taken.jobs;
	};

	const findLeftovers = (jobs: number, target: Target) => {
		if (closed && jobs === 0 && !deps.orphans().any()) return [];
		const table = deps.processes.table(exit?.at);
		deps.orphans().claim(table);
		return membersOf(target, table).map(({ pid }) => ({ pid, command: deps.processes.commandLine(pid) }));
	};

	const describeEnd = (leftovers: CommandEnd["leftovers"]): CommandEnd => {
		if (unreachable !== undefined) {
			cause = "exited";
			exit = { code: CANNOT_RUN, signal: null, at: performance.now() };
			cwdAfter = request.fallbackCwd;
		}
		const head = request.want === "head" ? output.head(HEAD_CHARS) : undefined;
		if (killed !== undefined && killed.survivors.length > 0)
			notices.push(`These processes could not be ended: ${killed.survivors.join(", ")}.`);
		return {
			cause: cause ?? "exited",
			exitCode: exit?.code ?? null,
			signal: exit?.signal ?? null,
			durationMs: Math.round(performance.now() - began),
			output: head?.text ?? output.view(request.limit),
			truncated: head?.truncated ?? false,
			cwd: cwdAfter ?? (cwd === request.cwd ? null : cwd),
			leftovers,
			notices,
			...(killed === undefined ? {} : { killed: { processes: killed.processes, forced: killed.forced, ...survivorsOf(killed) } }),
		};
	};

	const onTimeout = () => {
		if (request.onTimeout === "kill" || inBackground) {
			void kill("timed-out");
			return;
		}
		sendLive();
		inBackground = true;
		clearTimeout(liveTimer);
		deps.send({ kind: "promoted", key, output: output.view(request.limit), durationMs: Math.round(performance.now() - began) });
	};

	const kill = async (why: Exclude<EndCause, "exited">) => {
		if (phase === "ended") return;
		if (exit === undefined || phase === "left") cause ??= why;
		if (launched === undefined) return;
		clearTimeout(timeout);
		killing ??= killTargets([launched.target], deps.processes, (table) => deps.orphans().claim(table), deps.giveUpMs);
		killed = await killing;
		// What even KILL does not end, for instance a process that waits for a dead disk, must not keep anybody waiting for it.
		if (phase === "left") endLeft();
		else if (exit !== undefined) drain();
		// Its end was not reported although nothing of it is left: do not wait for ever.
		else setTimeout(settle, DRAIN_MAX_MS);
	};

	const check = () => {
		if (phase !== "left" || launched === undefined) return;
		if (membersOf(launched.target, deps.processes.table()).length > 0) return;
		endLeft();
	};

	const endLeft = () => {
		if (phase !== "left") return;
		phase = "ended";
		output.end();
		if (endSent) deps.send({ kind: "gone", key, cause: cause ?? "exited", ...survivorsOf(killed) });
		else sendEnd([]);
		finish();
	};

	const finish = () => {
		clearTimeout(timeout);
		output.compact();
		if (!closed) launched?.resume();
		deps.onEnded();
	};

	void start();
	return {
		request,
		output,
		get target() {
			return phase === "ended" ? undefined : launched?.target;
		},
		get inBackground() {
			return inBackground;
		},
		get ended() {
			return phase === "ended";
		},
		kill,
		check,
	};
}

const survivorsOf = (killed: Killed | undefined) =>
	killed === undefined || killed.survivors.length === 0 ? {} : { survivors: killed.survivors };
