import type { ClientFrame } from "@rightseat/protocol/frames/client";
import { type Clock, isoTime } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { IdSource } from "../../../core/kernel/ids.ts";
import type { Redactor } from "../../../core/kernel/redact.ts";
import type { Execution, Shell } from "../../../core/ports/shell.ts";
import type { SendFn } from "./frames.ts";
import type { WsHandler } from "./router.ts";

export const MAX_LOOSE_COMMANDS = 8;

/** Runs commands that belong to no conversation. Each starts where the last one ended; they end with their connection. */
export interface BashExecHandler extends WsHandler {
	/** True if a command with this id was running here. */
	kill(execId: string): boolean;
}
export type CreateBashExecHandler = (initialCwd?: string) => BashExecHandler;

/** Binds `createBashExecHandler(initialCwd?)` to a shell. Results of commands in a conversation go to `onBashComplete` in core. */
export function bashExec(deps: {
	shell: Shell;
	clock: Clock;
	ids: IdSource;
	defaultCwd: string;
	redactor: Redactor;
}): CreateBashExecHandler {
	return function createBashExecHandler(initialCwd) {
		let cwd = initialCwd ?? deps.defaultCwd;
		const running = new Map<string, Execution>();

		async function run(command: string, send: SendFn) {
			if (running.size >= MAX_LOOSE_COMMANDS) {
				throw new AppError("too-many-commands", `${MAX_LOOSE_COMMANDS} commands run already. Wait for one or stop one.`);
			}
			const execId = deps.ids.next();
			send({ type: "bash:start", data: { execId, command, cwd, startedAt: isoTime(deps.clock.now()), origin: "web" } });
			const readable = deps.redactor.stream();
			const show = (output: string) => {
				if (output !== "") send({ type: "bash:output", data: { execId, stream: "output", output } });
			};
			const execution = deps.shell.exec({ command, defaultCwd: cwd, onOutput: (output) => show(readable.take(output)) });
			running.set(execId, execution);
			try {
				const result = await execution.done;
				show(readable.rest());
				cwd = result.cwd;
				const { exitCode, truncated, durationMs } = result;
				send({ type: "bash:done", data: { execId, exitCode, cwd, truncated, durationMs } });
			} finally {
				running.delete(execId);
			}
		}

		return {
			async handle(frame: ClientFrame, send: SendFn) {
				if (frame.type !== "bash:exec") throw new AppError("unknown-type", `Nothing here handles "${frame.type}".`);
				await run(frame.data.command, send);
			},
			kill(execId) {
				const execution = running.get(execId);
				execution?.kill();
				return execution !== undefined;
			},
			onDisconnect() {
				for (const execution of running.values()) execution.kill();
			},
		};
	};
}
