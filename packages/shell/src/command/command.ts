import type { FromShelld, KillCause, RunRequest } from "../daemon/shelld-protocol.ts";
import { createOutput, type Output } from "../output/output.ts";
import type { OutputFile } from "../output/output-file.ts";
import type { Target } from "../process/kill.ts";
import type { BashProcess } from "../process/launch.ts";
import type { Orphans } from "../process/orphans.ts";
import { createProcessTree, type ProcessTree } from "../process/process-tree.ts";
import type { Processes } from "../process/processes.ts";
import type { StateRun } from "../state/state-store.ts";
import { nothingTaken, takeState } from "../state/take-state.ts";
import { createCommandReporter, type EndFacts } from "./command-reporter.ts";
import { type CommandAction, type CommandInput, type CommandState, nextCommand } from "./command-state.ts";
import { createDrain, DRAIN_MAX_MS } from "./drain.ts";
import { createFloodBrake } from "./flood-brake.ts";
import { createLiveSender } from "./live-sender.ts";
import { type StartBashDeps, startBash } from "./start-bash.ts";
import { watchBash } from "./watch-bash.ts";

/** One command from start to the end of its last process. */
export interface Command {
	readonly request: RunRequest;
	readonly output: Output;
	/** Undefined before the start and after the end. */
	readonly target: Target | undefined;
	/** Runs on with nobody waiting for it. */
	readonly inBackground: boolean;
	readonly ended: boolean;
	/** Kills the whole tree; the first cause counts. Resolves when it is gone, or when its survivors are known. */
	kill(cause: KillCause): Promise<void>;
	/** Looks whether processes that were left behind are still there. */
	check(): Promise<void>;
}

export interface CommandDeps extends StartBashDeps {
	processes: Processes;
	orphans(): Orphans;
	openOutputFile(): OutputFile | undefined;
	send(message: FromShelld): void;
	/** The command and all its processes are gone. */
	onEnded(): void;
	/** How long entering the directory may take. */
	enterLimitMs?: number;
	/** How long KILL may take before its survivors are named. */
	giveUpMs?: number;
}

/** A disk that has to spin up, or a network folder that is mounted at first use, takes seconds. */
const ENTER_LIMIT_MS = 15_000;
/** What a shell says of a program that cannot be found. */
const NOT_FOUND = 127;

/** Starts a command and tells how it goes: `nextCommand` decides, this does what it says. Never throws. */
export function startCommand(request: RunRequest, deps: CommandDeps): Command {
	const output = createOutput(deps.openOutputFile);
	const tell = createCommandReporter(request, output, deps.send);
	const live = createLiveSender(output, tell.live);
	const drain = createDrain(() => dispatch({ kind: "quiet" }));
	const found: Found = { taken: nothingTaken(request.cwd), leftovers: [], killed: undefined };
	let state: CommandState = { phase: "starting", background: request.background };
	let running: Running | undefined;
	const isBackground = () => state.phase === "left" || state.background;

	function dispatch(input: CommandInput): void {
		if (input.kind === "exit") drain.exited();
		const step = nextCommand(state, input);
		state = step.state;
		for (const action of step.actions) perform[action]();
	}

	const perform: Record<CommandAction, () => void> = {
		"kill-tree": () => void killTree(),
		"say-unreachable": () => output.push(Buffer.from(unreachableText(request))),
		"await-quiet": drain.wait,
		"await-exit": () => void setTimeout(() => dispatch({ kind: "exit-overdue" }), DRAIN_MAX_MS),
		"tell-promoted"() {
			live.flush(performance.now());
			live.stop();
			tell.promoted();
		},
		collect() {
			live.stop();
			found.taken = takeState(running?.bash, { run: running?.run, wanted: request.cwd, keep: !isBackground() });
		},
		look: () => void look(),
		check: () => void check(),
		"tell-left": tellEnd,
		"tell-end"() {
			output.end();
			found.leftovers = [];
			tellEnd();
		},
		"tell-gone"() {
			output.end();
			tell.gone(endOf(state).cause, found.killed);
		},
		release() {
			drain.stop();
			output.compact();
			running?.stopWatching();
			// What still writes must not stand still in front of a pipe that nobody reads.
			running?.bash.resume();
			deps.onEnded();
		},
	};

	function tellEnd(): void {
		const ended = endOf(state);
		if (!ended.background) live.flush(Number.POSITIVE_INFINITY);
		if (running !== undefined) deps.orphans().settled(running.bash.target);
		tell.end({ ...ended, ...found });
	}

	async function killTree(): Promise<void> {
		found.killed = await running?.tree.kill();
		dispatch({ kind: "tree-killed" });
	}

	/** Closed output, no children that bash knows of and no orphans: nothing was left, and no look at all processes is needed. */
	async function look(): Promise<void> {
		const mayHaveLeft = state.phase === "looking" && (!state.closed || found.taken.jobs > 0 || deps.orphans().any());
		if (mayHaveLeft && running !== undefined) found.leftovers = await running.tree.living();
		if (running !== undefined) deps.orphans().settled(running.bash.target);
		dispatch({ kind: "looked", left: found.leftovers.length });
	}

	async function check(): Promise<void> {
		if (state.phase === "left" && (await running?.tree.isGone()) === true) dispatch({ kind: "left-gone" });
	}

	async function start(): Promise<void> {
		const started = await startBash(request, deps, () => state.phase === "starting");
		if (started === undefined) return;
		const tree = createProcessTree(started.bash.target, { ...deps, orphans: deps.orphans() });
		const limits = { ...request, enterLimitMs: deps.enterLimitMs ?? ENTER_LIMIT_MS };
		running = { ...started, tree, stopWatching: watchBash(started.bash, limits, dispatch) };
		dispatch({ kind: "launched" });
		tell.started(started.bash.target.pid);
		const brake = createFloodBrake(started.bash);
		started.bash.onData((chunk) => {
			drain.data();
			if (state.phase === "ended") return;
			output.push(chunk);
			if (isBackground()) brake.read(chunk.length, output.totalBytes);
			else live.wake();
		});
	}

	function onStartFailed(error: unknown): void {
		output.push(Buffer.from(`${error instanceof Error ? error.message : String(error)}\n`));
		dispatch({ kind: "launch-failed", exit: { code: NOT_FOUND, signal: null } });
	}

	start().catch(onStartFailed);
	return {
		request,
		output,
		get target() {
			return state.phase === "ended" ? undefined : running?.bash.target;
		},
		get inBackground() {
			return isBackground();
		},
		get ended() {
			return state.phase === "ended";
		},
		async kill(cause) {
			dispatch({ kind: "kill", cause });
			if (state.phase !== "ended") await running?.tree.kill();
		},
		check,
	};
}

const unreachableText = ({ cwd, fallbackCwd }: RunRequest) =>
	`${cwd} does not answer, so the command was not run. If it lies on a network or removable disk, look at that; the next command runs in ${fallbackCwd}.\n`;

interface Running {
	bash: BashProcess;
	run: StateRun | undefined;
	tree: ProcessTree;
	stopWatching(): void;
}

/** What was found out about the end, as it comes. */
type Found = Pick<EndFacts, "taken" | "leftovers" | "killed">;

/** How bash ended; processes that it left may live on. */
function endOf(state: CommandState): Pick<EndFacts, "cause" | "exit" | "unreachable"> & { background: boolean } {
	if (state.phase === "ended") return state;
	const exit = state.phase === "left" ? state.exit : undefined;
	return { cause: "exited", exit, unreachable: false, background: false };
}
