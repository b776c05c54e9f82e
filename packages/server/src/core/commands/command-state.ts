import { assertNever } from "../kernel/errors.ts";
import type { CommandHandle, ExecResult } from "../ports/shell.ts";

/**
 * A person's command. It begins when the row that names it is durable: after a power cut, nothing may have run that nobody knows of. It ends exactly once:
 * `storing` is entered by the first end that comes, and no other can take its place.
 */
export type CommandState =
	| { state: "waiting" }
	| { state: "running"; execution: CommandHandle }
	/** Somebody killed it; its end is waited for, but not for ever. */
	| { state: "stopping"; execution: CommandHandle }
	| { state: "storing"; end: CommandEnd }
	| { state: "ended"; end: CommandEnd };

/** Why a command is over. */
export type CommandEnd =
	| { kind: "exited"; result: ExecResult }
	/** It never ran. */
	| { kind: "not-begun"; because: "killed" | "lost" }
	/** It was stopped or the shell failed, and what became of it is not known. */
	| { kind: "not-seen" };

/** What can happen to a command. */
export type CommandInput =
	| { kind: "begun"; execution: CommandHandle }
	| { kind: "disk-failed" }
	| { kind: "kill" }
	| { kind: "exited"; result: ExecResult }
	| { kind: "shell-failed" }
	/** The end of a stopped command did not come in time. */
	| { kind: "deadline" }
	| { kind: "stored" };

/** The state after this input; the same object when the input means nothing in this state. Never throws. */
export function nextCommandState(state: CommandState, input: CommandInput): CommandState {
	switch (state.state) {
		case "waiting":
			if (input.kind === "begun") return { state: "running", execution: input.execution };
			if (input.kind === "kill") return { state: "storing", end: { kind: "not-begun", because: "killed" } };
			if (input.kind === "disk-failed") return { state: "storing", end: { kind: "not-begun", because: "lost" } };
			return state;
		case "running":
			if (input.kind === "kill") return { state: "stopping", execution: state.execution };
			if (input.kind === "exited") return { state: "storing", end: { kind: "exited", result: input.result } };
			if (input.kind === "shell-failed") return { state: "storing", end: { kind: "not-seen" } };
			return state;
		case "stopping":
			if (input.kind === "exited") return { state: "storing", end: { kind: "exited", result: input.result } };
			if (input.kind === "shell-failed" || input.kind === "deadline") return { state: "storing", end: { kind: "not-seen" } };
			return state;
		case "storing":
			return input.kind === "stored" ? { state: "ended", end: state.end } : state;
		case "ended":
			return state;
		default:
			return assertNever(state);
	}
}
