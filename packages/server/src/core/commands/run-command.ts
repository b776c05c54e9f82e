import { cutText, cutTextTail } from "@rightseat/protocol/text";
import type { ActiveCommand } from "../active/active-conversations.ts";
import { type End, keepEnd } from "../active/keep-end.ts";
import type { OpenWindows, OpenWork } from "../changes/work-windows.ts";
import { type Cancel, type Clock, isoTime } from "../kernel/clock.ts";
import { assertNever } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { EventLog } from "../log/event-log.ts";
import type { ChangeTracker, SettledChange } from "../ports/changes.ts";
import type { ExecResult, Shell } from "../ports/shell.ts";
import type { CommandRow, Store } from "../ports/store.ts";
import { type CommandEnd, type CommandInput, type CommandState, nextCommandState } from "./command-state.ts";
import { type BashResult, LOST_EXIT_CODE, type OnBashComplete, sentAs } from "./on-bash-complete.ts";

/** Live output of one command that goes into the log; the result keeps the beginning whatever follows. */
export const MAX_LIVE_OUTPUT_CHARS = 1_048_576;
/** A command that was stopped and whose end the shell does not tell within this counts as lost: nobody waits for it any longer. */
export const KILL_WAIT_MS = 15_000;
/** Of the live output the newest, as every reader keeps it. */
export const SNAPSHOT_OUTPUT_CHARS = 32_768;

/** What a running command touches. */
export interface RunCommandDeps {
	store: Pick<Store, "commands" | "afterCommit" | "durable">;
	log: Pick<EventLog, "append">;
	shell: Pick<Shell, "exec">;
	clock: Clock;
	logger: Logger;
	redactor: Redactor;
	onBashComplete: OnBashComplete;
	open: OpenWindows;
	tracker: Pick<ChangeTracker, "settle">;
}

/** Runs a command whose row is committed, shows its output live and stores its one end. `released` is called when that is stored. */
export function runCommand(
	deps: RunCommandDeps,
	start: { row: CommandRow; typed: string; defaultCwd: string },
	released: () => void,
): ActiveCommand {
	const { clock, logger } = deps;
	const { row } = start;
	const { execId, conversationId } = row;
	const redacted = deps.redactor.stream();
	let state: CommandState = { state: "waiting" };
	let cancelDeadline: Cancel = () => undefined;
	let loggedChars = 0;
	let stored: () => void = () => undefined;
	const command = {
		...{ execId, command: row.command, cwd: row.cwd, startedAt: isoTime(row.startedAt), output: "", ...sentAs(row) },
		kill,
		done: new Promise<void>((resolve) => {
			stored = resolve;
		}),
	};
	let window: OpenWork | undefined;
	deps.store.afterCommit(record);
	deps.store.durable().catch(() => move({ kind: "disk-failed" }));
	return command;

	function move(input: CommandInput): void {
		const before = state;
		state = nextCommandState(state, input);
		if (state === before) return;
		if (state.state === "stopping") cancelDeadline = clock.after(KILL_WAIT_MS, () => move({ kind: "deadline" }));
		if (state.state !== "storing") return;
		cancelDeadline();
		void keep(state.end);
	}

	/** It runs when the state of the files before it is known. */
	function record(): void {
		if (state.state !== "waiting") return;
		const of = { changeId: execId, kind: "command" as const, messageId: execId };
		window = deps.open(conversationId, of, { actor: "person", label: row.command });
		if (window.opened === undefined) begin();
		else void window.opened.then(begin);
	}

	function begin(): void {
		// Killed before it could begin.
		if (state.state !== "waiting") return;
		const execution = deps.shell.exec({ conversationId, command: start.typed, defaultCwd: start.defaultCwd, onOutput });
		move({ kind: "begun", execution });
		execution.done.then(
			(result) => move({ kind: "exited", result }),
			(error: unknown) => {
				logger.error({ err: error, conversationId, execId }, "A command ended badly");
				move({ kind: "shell-failed" });
			},
		);
	}

	function kill(): void {
		move({ kind: "kill" });
		if (state.state === "stopping") state.execution.kill();
	}

	function onOutput(text: string): void {
		command.output = cutTextTail(command.output + redacted.take(text), SNAPSHOT_OUTPUT_CHARS);
		const rest = MAX_LIVE_OUTPUT_CHARS - loggedChars;
		if (rest <= 0) return;
		loggedChars += text.length;
		const shown = text.length <= rest ? text : `${cutText(text, rest)}\n… more output is not shown live\n`;
		deps.log.append(conversationId, { type: "bash:output", data: { execId, stream: "output", output: shown } });
	}

	async function keep(end: CommandEnd): Promise<void> {
		const elapsedMs = Math.max(0, clock.now() - row.startedAt);
		const settled: SettledChange = window === undefined ? { kind: "nothing" } : await deps.tracker.settle(execId);
		await keepEnd(deps, commandEndOf(deps, row, { ...resultOf(end, { ...start, output: command.output, elapsedMs }), settled }));
		move({ kind: "stored" });
		try {
			released();
		} catch (error) {
			// Callers that wait for this command must not wait for ever.
			logger.error({ err: error, conversationId, execId }, "What follows the end of a command failed");
		}
		stored();
	}
}

function resultOf(end: CommandEnd, run: { row: CommandRow; defaultCwd: string; output: string; elapsedMs: number }): ExecResult {
	switch (end.kind) {
		case "exited":
			return end.result;
		case "not-begun": {
			const output = end.because === "killed" ? "[stopped before it began]" : "[not run: the disk failed before it could begin]";
			return { exitCode: null, output, truncated: false, cwd: run.defaultCwd, durationMs: 0, end: end.because };
		}
		case "not-seen": {
			const note = `[stopped; its end was not seen within ${KILL_WAIT_MS / 1000} s, so parts of it may still run]`;
			const output = run.output === "" ? note : `${run.output.replace(/\n$/, "")}\n${note}`;
			return { exitCode: null, output, truncated: false, cwd: run.row.cwd, durationMs: run.elapsedMs, end: "lost" };
		}
		default:
			return assertNever(end);
	}
}

/** How the end of this command is stored: whole, else without its output, else only announced. */
export function commandEndOf(
	deps: { store: Pick<Store, "commands">; log: Pick<EventLog, "append">; onBashComplete: OnBashComplete },
	row: CommandRow,
	result: BashResult,
): End {
	const { execId, conversationId } = row;
	const { cwd, durationMs } = result;
	function store(output: string): void {
		// An attempt that failed after its commit must not be made again.
		if (deps.store.commands.find(execId)?.endedAt === null) deps.onBashComplete(row, { ...result, output });
	}
	return {
		what: { conversationId, execId },
		whole: () => store(result.output),
		least: () => store("[the output could not be stored; the server's log has the details]"),
		tell() {
			const exitCode = result.exitCode ?? LOST_EXIT_CODE;
			deps.log.append(conversationId, { type: "bash:done", data: { execId, exitCode, cwd, truncated: true, durationMs } });
		},
	};
}
