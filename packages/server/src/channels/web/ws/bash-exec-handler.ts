import type { ClientFrame, ClientFrameOf } from "@rightseat/protocol/frames/client";
import { checkCommand } from "../../../core/commands/check-command.ts";
import { type Clock, isoTime } from "../../../core/kernel/clock.ts";
import { AppError, toAppError } from "../../../core/kernel/errors.ts";
import type { IdSource } from "../../../core/kernel/ids.ts";
import type { Redactor } from "../../../core/kernel/redact.ts";
import type { CommandHandle, Shell } from "../../../core/ports/shell.ts";
import { answerTo, nackTo, type SendFn } from "./frames.ts";
import type { WsHandler } from "./router.ts";

export const MAX_LOOSE_COMMANDS = 8;
/** Sent again under the same id, a command runs once; a client that was not answered asks again soon. */
export const MAX_REMEMBERED_IDS = 64;

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
	defaultCwd(): string;
	redactor: Redactor;
}): CreateBashExecHandler {
	return function createBashExecHandler(initialCwd) {
		let cwd = initialCwd ?? deps.defaultCwd();
		const running = new Map<string, CommandHandle>();
		/** What was sent under which id, oldest first. */
		const taken = new Map<string, { execId: string; command: string }>();

		/** Throws when it cannot be taken; else it has begun, and the result is its end. */
		function start(frame: ClientFrameOf<"bash:exec">, send: SendFn): Promise<void> {
			const { command, clientMessageId } = frame.data;
			const ids = clientMessageId === undefined ? {} : { clientMessageId };
			const known = clientMessageId === undefined ? undefined : taken.get(clientMessageId);
			if (known !== undefined) {
				if (known.command !== command) throw new AppError("id-reused", "This clientMessageId was used for another command. Use a new one.");
				send(answerTo(frame, { type: "copilot:ack", data: { ...ids, messageId: known.execId, duplicate: true } }));
				return Promise.resolve();
			}
			checkCommand(command);
			if (running.size >= MAX_LOOSE_COMMANDS) {
				const message = `${MAX_LOOSE_COMMANDS} commands run already. Wait for one or stop one.`;
				throw new AppError("too-many-commands", message, { retryable: true, params: { max: MAX_LOOSE_COMMANDS } });
			}
			const execId = deps.ids.next();
			if (clientMessageId !== undefined) remember(clientMessageId, { execId, command });
			send({ type: "bash:start", data: { execId, command, cwd, startedAt: isoTime(deps.clock.now()), origin: "web", ...ids } });
			const ended = run(execId, command, send);
			send(answerTo(frame, { type: "copilot:ack", data: { ...ids, messageId: execId } }));
			return ended;
		}

		function remember(clientMessageId: string, what: { execId: string; command: string }) {
			taken.set(clientMessageId, what);
			const oldest = taken.keys().next();
			if (taken.size > MAX_REMEMBERED_IDS && oldest.done !== true) taken.delete(oldest.value);
		}

		async function run(execId: string, command: string, send: SendFn) {
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
				if (frame.type !== "bash:exec")
					throw new AppError("unknown-type", `Nothing here handles "${frame.type}".`, { params: { type: frame.type } });
				let ended: Promise<void>;
				try {
					ended = start(frame, send);
				} catch (error) {
					const known = toAppError(error);
					if (known.code === "internal") throw error;
					return send(nackTo(frame, known));
				}
				await ended;
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
