import { MAX_BASH_CONTEXT_CHARS } from "@rightseat/protocol/limits";
import type { CoreContext } from "../active/core-context.ts";
import { messageId as toMessageId } from "../kernel/ids.ts";
import type { ExecResult } from "../ports/shell.ts";
import type { CommandRow } from "../ports/store.ts";
import { formatBashResult } from "./bash-context.ts";
import { addBashContext } from "./pending-bash-context.ts";

/** Of a command whose end nobody saw. */
export const LOST_EXIT_CODE = -1;

/** How a command of a person ended. */
export type BashResult = Omit<ExecResult, "end" | "signal">;

/** Called once for every command of a person, however it ended; in one commit. */
export type OnBashComplete = (row: CommandRow, result: BashResult) => void;

/** Stores the result as a user message, puts it into the context of the next prompt, and tells both. */
export function onBashComplete(core: CoreContext, row: CommandRow, result: BashResult): void {
	const { execId, conversationId: id, command, origin } = row;
	const repo = core.store.messages;
	core.log.commit(() => {
		const { cwd, durationMs } = result;
		const exitCode = result.exitCode ?? LOST_EXIT_CODE;
		const truncated = result.truncated || result.output.length > MAX_BASH_CONTEXT_CHARS;
		const message = repo.addMessage(id, {
			// The id that the sender's acknowledgement named.
			id: toMessageId(execId),
			role: "user",
			// Before the cut: half a secret would not be found after it.
			content: formatBashResult(command, core.redactor.text(result.output), exitCode),
			metadata: { origin, bash: true, exitCode, cwd, command, execId, durationMs, truncated, ...sentAs(row), context: "pending" },
			createdAt: core.clock.now(),
		});
		if (message.role !== "user") return;
		const { id: messageId, content, metadata, createdAt } = message;
		core.store.commands.end(execId, core.clock.now(), toMessageId(messageId));
		core.log.append(id, { type: "bash:done", data: { execId, exitCode, cwd, truncated, durationMs, messageId } });
		core.log.append(id, { type: "copilot:user_message", data: { messageId, content, metadata, origin, createdAt } });
		addBashContext(core, id, toMessageId(messageId));
	});
}

/** The sender's own id, so that it knows its command again before the confirmation comes. */
export const sentAs = ({ clientMessageId }: CommandRow) => (clientMessageId === null ? {} : { clientMessageId });
