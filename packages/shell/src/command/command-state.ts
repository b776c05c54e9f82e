import type { EndCause, KillCause } from "../daemon/shelld-protocol.ts";

/** How bash itself ended. */
export interface Exit {
	code: number | null;
	signal: NodeJS.Signals | null;
}

/** The tree is being killed, or was. `cause` is undefined when bash had ended by itself before: that end counts. */
interface Kill {
	cause: KillCause | "unreachable" | undefined;
	done: boolean;
}

/**
 * One command, from the request to the end of its last process. `background`: nobody waits for it.
 *
 * starting → running → draining → looking → ended, or → left → ended when it left processes behind.
 */
export type CommandState =
	| { phase: "starting"; background: boolean }
	/** `closed`: no process holds its output open. */
	| { phase: "running"; background: boolean; closed: boolean; kill: Kill | undefined }
	/** Bash has ended; a child may still write. */
	| { phase: "draining"; background: boolean; closed: boolean; exit: Exit; kill: Kill | undefined }
	/** Looks for processes that it left behind. */
	| { phase: "looking"; background: boolean; closed: boolean; exit: Exit; kill: Kill | undefined }
	/** They run on as a job. `told`: whoever waited for bash has its end. */
	| { phase: "left"; told: boolean; exit: Exit; kill: Kill | undefined }
	/** Its last process is gone, or nothing can end what is left. */
	| { phase: "ended"; background: boolean; unreachable: boolean; cause: EndCause; exit: Exit | undefined };

export type CommandInput =
	| { kind: "launched" }
	/** Bash could not be started. */
	| { kind: "launch-failed"; exit: Exit }
	| { kind: "exit"; exit: Exit }
	| { kind: "close" }
	/** Bash has ended and its output has been quiet for a while. */
	| { kind: "quiet" }
	| { kind: "timeout"; onTimeout: "kill" | "background" }
	/** Bash still waits for its directory, so nothing of the command has run. */
	| { kind: "unreachable" }
	| { kind: "kill"; cause: KillCause }
	| { kind: "tree-killed" }
	/** The tree was killed long enough ago, and nobody has reported the end of bash. */
	| { kind: "exit-overdue" }
	| { kind: "looked"; left: number }
	/** Everything that was left behind has ended. */
	| { kind: "left-gone" };

/** What is to be done about a change; the order counts. */
export type CommandAction =
	| "kill-tree"
	/** Its directory does not answer. */
	| "say-unreachable"
	| "await-quiet"
	| "await-exit"
	/** It goes on in the background. */
	| "tell-promoted"
	/** Take over what bash left: state, directory, live output. Before every `look` and every end of bash. */
	| "collect"
	| "look"
	/** Bash has ended, and processes that it left run on. */
	| "tell-left"
	| "tell-end"
	/** The processes that were left have ended; the end itself was told before. */
	| "tell-gone"
	/** Look again whether what was left is gone. */
	| "check"
	| "release";

export interface Step {
	state: CommandState;
	actions: readonly CommandAction[];
}

/** The command after an input, and what is to be done. An input that means nothing in a state changes nothing, so the end is told exactly once. */
export function nextCommand(state: CommandState, input: CommandInput): Step {
	switch (state.phase) {
		case "starting":
			return whileStarting(state, input);
		case "running":
			return whileRunning(state, input);
		case "draining":
			return whileDraining(state, input);
		case "looking":
			return whileLooking(state, input);
		case "left":
			return whileLeft(state, input);
		case "ended":
			return stay(state);
	}
}

type In<P extends CommandState["phase"]> = Extract<CommandState, { phase: P }>;

const stay = (state: CommandState): Step => ({ state, actions: [] });
const CANNOT_RUN = 126;

function whileStarting(state: In<"starting">, input: CommandInput): Step {
	const { background } = state;
	switch (input.kind) {
		case "launched":
			return { state: { phase: "running", background, closed: false, kill: undefined }, actions: [] };
		case "launch-failed":
			return end({ background, unreachable: false, cause: "exited", exit: input.exit });
		case "kill":
			return end({ background, unreachable: false, cause: input.cause, exit: undefined });
		default:
			return stay(state);
	}
}

function whileRunning(state: In<"running">, input: CommandInput): Step {
	switch (input.kind) {
		case "exit":
			return drain({ ...state, phase: "draining", exit: input.exit });
		case "close":
			return stay({ ...state, closed: true });
		case "kill":
			return kill(state, input.cause);
		case "unreachable":
			return unreachable(state);
		case "timeout":
			if (input.onTimeout === "kill" || state.background) return kill(state, "timed_out");
			return { state: { ...state, background: true }, actions: ["tell-promoted"] };
		case "tree-killed":
			return { state: withKillDone(state), actions: ["await-exit"] };
		case "exit-overdue":
			return end({ background: state.background, ...endOf(state.kill, undefined) });
		default:
			return stay(state);
	}
}

function whileDraining(state: In<"draining">, input: CommandInput): Step {
	switch (input.kind) {
		case "close":
			return drain({ ...state, closed: true });
		case "quiet":
			return isKilling(state) ? stay(state) : settle(state);
		case "tree-killed":
			return drain(withKillDone(state));
		default:
			return killAfterExit(state, input, undefined);
	}
}

function whileLooking(state: In<"looking">, input: CommandInput): Step {
	switch (input.kind) {
		case "looked":
			return looked(state, input.left);
		case "tree-killed":
			return stay(withKillDone(state));
		default:
			// Only what it left behind is killed then; how bash ended is known.
			return killAfterExit(state, input, "processes left");
	}
}

function whileLeft(state: In<"left">, input: CommandInput): Step {
	switch (input.kind) {
		case "tree-killed":
			return endLeft(withKillDone(state));
		case "left-gone":
			return endLeft(state);
		case "close":
			return { state, actions: ["check"] };
		default:
			return killAfterExit(state, input, "processes left");
	}
}

/** A kill or a timeout of a command whose bash has ended. */
function killAfterExit<S extends In<"draining" | "looking" | "left">>(
	state: S,
	input: CommandInput,
	counts: "processes left" | undefined,
): Step {
	// Whoever waited for bash has waited no longer than the timeout; only what runs in the background is still bound by it.
	const isBackground = state.phase === "left" ? !state.told : state.background;
	const cause = input.kind === "kill" ? input.cause : input.kind === "timeout" && isBackground ? "timed_out" : undefined;
	if (cause === undefined || state.kill !== undefined) return stay(state);
	return { state: { ...state, kill: { cause: counts === undefined ? undefined : cause, done: false } }, actions: ["kill-tree"] };
}

/** Bash still waits for its directory, so nothing of the command has run; only this command fails of it. */
function unreachable(state: In<"running">): Step {
	const step = kill(state, "unreachable");
	return step.actions.length === 0 ? step : { ...step, actions: ["say-unreachable", ...step.actions] };
}

/** The first cause counts. */
function kill(state: In<"running">, cause: Kill["cause"]): Step {
	if (state.kill !== undefined) return stay(state);
	return { state: { ...state, kill: { cause, done: false } }, actions: ["kill-tree"] };
}

/** Output that a trap wrote, or a child that lives a little longer, still belongs to the command. */
function drain(state: In<"draining">): Step {
	if (isKilling(state)) return stay(state);
	return state.closed ? settle(state) : { state, actions: ["await-quiet"] };
}

/** Bash has ended and its output is complete, or quiet because only a background child holds it open. */
function settle({ background, closed, exit, kill }: In<"draining">): Step {
	if (kill?.cause !== undefined) return end({ background, ...endOf(kill, exit) });
	return { state: { phase: "looking", background, closed, exit, kill: undefined }, actions: ["collect", "look"] };
}

function looked({ background, exit, kill }: In<"looking">, left: number): Step {
	if (left === 0 || kill?.done === true)
		return { state: { phase: "ended", background, unreachable: false, cause: "exited", exit }, actions: ["tell-end", "release"] };
	// Of a job nobody waits for bash itself; it ends with its last process.
	return { state: { phase: "left", told: !background, exit, kill }, actions: background ? [] : ["tell-left"] };
}

function endLeft({ told, kill, exit }: In<"left">): Step {
	const state = { phase: "ended" as const, background: true, ...endOf(kill, exit) };
	return { state, actions: [told ? "tell-gone" : "tell-end", "release"] };
}

function end(how: Omit<In<"ended">, "phase">): Step {
	return { state: { phase: "ended", ...how }, actions: ["collect", "tell-end", "release"] };
}

/** A command that never got to its directory did not run: it fails as one that cannot be run. */
function endOf(kill: Kill | undefined, exit: Exit | undefined): Pick<In<"ended">, "unreachable" | "cause" | "exit"> {
	if (kill?.cause === "unreachable") return { unreachable: true, cause: "exited", exit: { code: CANNOT_RUN, signal: null } };
	return { unreachable: false, cause: kill?.cause ?? "exited", exit };
}

const isKilling = ({ kill }: { kill: Kill | undefined }) => kill !== undefined && !kill.done;

function withKillDone<S extends { kill: Kill | undefined }>(state: S): S {
	return state.kill === undefined ? state : { ...state, kill: { ...state.kill, done: true } };
}
