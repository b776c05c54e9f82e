import { MAX_BASH_CONTEXT_CHARS } from "@rightseat/protocol/limits";
import type { ToldChanges } from "../changes/told-changes.ts";
import type { Clock } from "../kernel/clock.ts";
import { messageId as toMessageId } from "../kernel/ids.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { EventLog } from "../log/event-log.ts";
import type { SettledChange } from "../ports/changes.ts";
import type { ExecResult } from "../ports/shell.ts";
import type { CommandRow, Store } from "../ports/store.ts";
import type { Announcements } from "./announcements.ts";
import { formatBashResult } from "./bash-context.ts";
import type { PendingBashContext } from "./pending-bash-context.ts";

/** Of a command whose end nobody saw. */
export const LOST_EXIT_CODE = -1;

/** How a command of a person ended. */
export interface BashResult extends Omit<ExecResult, "end" | "signal"> {
	/** What it changed in files; without it that is told later. */
	settled?: SettledChange;
}

/** Called once for every command of a person, however it ended; in one commit. */
export type OnBashComplete = (row: CommandRow, result: BashResult) => void;

/** Stores the result as a user message, puts it into the context of the next prompt, and tells both. */
export function createOnBashComplete(deps: {
	store: Pick<Store, "messages" | "commands">;
	log: Pick<EventLog, "append" | "commit">;
	clock: Clock;
	redactor: Redactor;
	announce: Announcements;
	bashContext: Pick<PendingBashContext, "add">;
	told: Pick<ToldChanges, "end">;
}): OnBashComplete {
	const { store, log, clock } = deps;
	return function onBashComplete(row, result) {
		const { execId, conversationId: id, command, origin } = row;
		log.commit(() => {
			const { cwd, durationMs } = result;
			const exitCode = result.exitCode ?? LOST_EXIT_CODE;
			const truncated = result.truncated || result.output.length > MAX_BASH_CONTEXT_CHARS;
			// The id that the sender's acknowledgement named.
			const messageId = toMessageId(execId);
			const message = store.messages.addMessage(id, {
				id: messageId,
				role: "user",
				// Before the cut: half a secret would not be found after it.
				content: formatBashResult(command, deps.redactor.text(result.output), exitCode),
				metadata: { origin, bash: true, exitCode, cwd, command, execId, durationMs, truncated, ...sentAs(row), context: "pending" },
				createdAt: clock.now(),
			});
			store.commands.end(execId, clock.now(), messageId);
			log.append(id, { type: "bash:done", data: { execId, exitCode, cwd, truncated, durationMs, messageId } });
			deps.announce.added(id, message);
			if (result.settled !== undefined) {
				const changes = deps.told.end({ conversationId: id, changeId: execId, messageId }, "command", result.settled);
				if (changes !== undefined) store.messages.setChanges(id, messageId, changes);
			}
			deps.bashContext.add(id, messageId);
		});
	};
}

/** The sender's own id, so that it knows its command again before the confirmation comes. */
export const sentAs = ({ clientMessageId }: CommandRow) => (clientMessageId === null ? {} : { clientMessageId });
