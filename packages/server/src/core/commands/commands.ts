import type { ContextItem } from "@rightseat/protocol/model/command";
import { cutText, cutTextTail } from "@rightseat/protocol/text";
import type { LiveCommand } from "../active/active-conversations.ts";
import type { CoreContext } from "../active/core-context.ts";
import { type End, keepEnd } from "../active/keep-end.ts";
import { isoTime } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import { type ConversationId, type ExecId, type MessageId, execId as toExecId, seq as toSeq } from "../kernel/ids.ts";
import type { ExecResult } from "../ports/shell.ts";
import type { CommandRow } from "../ports/store.ts";
import { toContextItem } from "./bash-context.ts";
import { checkCommand } from "./check-command.ts";
import type { ExecCommand, ExecReceipt } from "./exec-request.ts";
import { execWhenDurable } from "./exec-when-durable.ts";
import { LOST_EXIT_CODE, type OnBashComplete, sentAs } from "./on-bash-complete.ts";
import { changeBashContext, pendingBashContext } from "./pending-bash-context.ts";
import { MAX_TITLE_CHARS } from "./title.ts";

/** Commands of people running at once: in one conversation, and on this server. */
export const MAX_COMMANDS_PER_CONVERSATION = 8;
const MAX_COMMANDS = 32;
/** Live output of one command that goes into the log; the result keeps the beginning whatever follows. */
export const MAX_LIVE_OUTPUT_CHARS = 1_048_576;
/** A command that was stopped and whose end the shell does not tell within this counts as lost: nobody waits for it any longer. */
export const KILL_WAIT_MS = 15_000;
const SNAPSHOT_OUTPUT_CHARS = 32_768;

export interface Commands {
	exec(request: ExecCommand): ExecReceipt;
	killExec(id: ExecId): boolean;
	pendingBashContext(id: ConversationId): ContextItem[];
	dropBashContext(id: ConversationId, message: MessageId): void;
	trimBashContext(id: ConversationId, message: MessageId, maxChars: number): void;
	killAll(): Promise<void>;
}

/** `!cmd`: runs at most once, is shown live, and its result waits for the next prompt. */
export function createCommands(core: CoreContext, onBashComplete: OnBashComplete): Commands {
	const running = new Map<ExecId, LiveCommand>();

	function exec(request: ExecCommand): ExecReceipt {
		const { conversationId: id, command, origin, clientMessageId } = request;
		const row = core.accepting(id);
		const known = clientMessageId === undefined ? undefined : core.store.commands.findByClientId(id, clientMessageId);
		// Stored and shown as it may be read; only the shell gets it as it was typed.
		const readable = core.redactor.text(command);
		if (known !== undefined) {
			if (known.command !== readable) throw new AppError("id-reused", "This clientMessageId was used for another command. Use a new one.");
			return { execId: known.execId, duplicate: true };
		}
		checkCommand(command);
		const live = core.live.get(id);
		if (live.commands.size >= MAX_COMMANDS_PER_CONVERSATION || running.size >= MAX_COMMANDS) throw tooMany();
		const execId = toExecId(core.ids.next());
		const startedAt = core.clock.now();
		const cwd = core.shell.cwd(id, row.cwd);
		const begun: CommandRow = {
			execId,
			conversationId: id,
			command: readable,
			cwd,
			origin,
			clientMessageId: clientMessageId ?? null,
			startedAt,
			firstSeq: toSeq(row.headSeq + 1),
			endedAt: null,
			messageId: null,
		};
		core.log.commit(() => {
			core.store.commands.insert(begun);
			core.store.conversations.update(id, {
				updatedAt: startedAt,
				...(row.title === "" ? { title: cutText(`! ${readable}`, MAX_TITLE_CHARS) } : {}),
			});
			core.log.append(id, {
				type: "bash:start",
				data: { execId, command: readable, cwd, startedAt: isoTime(startedAt), origin, ...sentAs(begun) },
			});
		});
		start(begun, command, row.cwd);
		core.changed(id);
		return { execId, duplicate: false };
	}

	function start(row: CommandRow, typed: string, defaultCwd: string): void {
		const { execId, conversationId, command, cwd } = row;
		const readable = core.redactor.stream();
		const live = core.live.get(conversationId);
		const execution = execWhenDurable(core, {
			conversationId,
			command: typed,
			defaultCwd,
			onOutput(text) {
				entry.output = cutTextTail(entry.output + readable.take(text), SNAPSHOT_OUTPUT_CHARS);
				show(entry, conversationId, text);
			},
		});
		const entry: LiveCommand = {
			execId,
			command,
			cwd,
			startedAt: isoTime(row.startedAt),
			output: "",
			...sentAs(row),
			loggedChars: 0,
			kill,
			done: Promise.resolve(),
		};
		/** Set by the first stop. */
		let cancelWait: (() => void) | undefined;
		let giveUp: (result: ExecResult) => void = () => undefined;
		const lost = new Promise<ExecResult>((resolve) => {
			giveUp = resolve;
		});
		function kill(): void {
			execution.kill();
			cancelWait ??= core.clock.after(KILL_WAIT_MS, () => giveUp(endNotSeen(entry, core.clock.now() - row.startedAt)));
		}
		live.commands.set(execId, entry);
		running.set(execId, entry);
		entry.done = Promise.race([execution.done, lost])
			.then((result) => keepEnd(core, endOf(row, result)))
			.catch((error: unknown) => core.logger.error({ err: error, conversationId, execId }, "A command ended badly"))
			.finally(() => {
				cancelWait?.();
				live.commands.delete(execId);
				running.delete(execId);
				core.changed(conversationId);
				core.live.release(conversationId);
			});
	}

	function endOf(row: CommandRow, result: ExecResult): End {
		const { execId, conversationId: id } = row;
		const { cwd, durationMs } = result;
		function store(output: string): void {
			// An attempt that failed after its commit must not be made again.
			if (core.store.commands.find(execId)?.endedAt === null) onBashComplete(row, { ...result, output });
		}
		return {
			what: { conversationId: id, execId },
			whole: () => store(result.output),
			least: () => store("[the output could not be stored; the server's log has the details]"),
			tell() {
				const exitCode = result.exitCode ?? LOST_EXIT_CODE;
				core.log.append(id, { type: "bash:done", data: { execId, exitCode, cwd, truncated: true, durationMs } });
			},
		};
	}

	function show(entry: LiveCommand, conversationId: ConversationId, text: string): void {
		const rest = MAX_LIVE_OUTPUT_CHARS - entry.loggedChars;
		if (rest <= 0) return;
		entry.loggedChars += text.length;
		const shown = text.length <= rest ? text : `${cutText(text, rest)}\n… more output is not shown live\n`;
		core.log.append(conversationId, { type: "bash:output", data: { execId: entry.execId, stream: "output", output: shown } });
	}

	return {
		exec,
		killExec(id) {
			const entry = running.get(id);
			entry?.kill();
			return entry !== undefined;
		},
		pendingBashContext(id) {
			core.row(id);
			return pendingBashContext(core, id).map(toContextItem);
		},
		dropBashContext(id, messageId) {
			core.accepting(id);
			changeBashContext(core, id, messageId, { context: "dropped" });
		},
		trimBashContext(id, messageId, maxChars) {
			core.accepting(id);
			changeBashContext(core, id, messageId, { contextMaxChars: maxChars });
		},
		async killAll() {
			const entries = [...running.values()];
			for (const entry of entries) entry.kill();
			await Promise.all(entries.map((entry) => entry.done));
		},
	};
}

/** What is known of a command that was stopped and whose end never came. */
function endNotSeen(entry: LiveCommand, durationMs: number): ExecResult {
	const note = `[stopped; its end was not seen within ${KILL_WAIT_MS / 1000} s, so parts of it may still run]`;
	const output = entry.output === "" ? note : `${entry.output.replace(/\n$/, "")}\n${note}`;
	return { exitCode: null, output, truncated: false, cwd: entry.cwd, durationMs: Math.max(0, durationMs), end: "lost" };
}

const tooMany = () =>
	new AppError(
		"too-many-commands",
		`${MAX_COMMANDS_PER_CONVERSATION} commands run here already, or ${MAX_COMMANDS} on this server. Wait for one or stop one.`,
		{ retryable: true, params: { max: MAX_COMMANDS_PER_CONVERSATION, serverMax: MAX_COMMANDS } },
	);
