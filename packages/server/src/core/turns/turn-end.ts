import type { LogEvent } from "@rightseat/protocol/events/event";
import { finishTurn, foldTurn, isUntouched } from "@rightseat/protocol/fold/turn";
import type { RunningTurn, TurnError } from "@rightseat/protocol/model/turn";
import type { TurnOutcome } from "@rightseat/protocol/model/vocabulary";
import type { CoreContext } from "../active/core-context.ts";
import { giveBashContextBack } from "../commands/pending-bash-context.ts";
import { isoTime } from "../kernel/clock.ts";
import { type ConversationId, messageId as toMessageId } from "../kernel/ids.ts";
import type { Carried } from "./turn-input.ts";

export interface TurnEnd {
	outcome: TurnOutcome;
	error?: TurnError;
}

/**
 * Stores a turn and closes it, in one transaction: open tools settled, the assistant message with what was shown, the error, the status, one `idle`, last.
 * Serves the normal end and the recovery of a turn that a crash cut off.
 */
export function storeTurnEnd(core: CoreContext, conversationId: ConversationId, shown: RunningTurn, end: TurnEnd, carried: Carried): void {
	const row = core.row(conversationId);
	core.log.commit(() => {
		const now = core.clock.now();
		const turn = settleOpenTools(core, conversationId, shown, end);
		const { contextIds, notes } = carried;
		if (end.outcome !== "completed" && isUntouched(turn)) giveBashContextBack(core, conversationId, contextIds, end.error?.code);
		else if (notes.length > 0) core.store.afterCommit(() => core.shell.markNotesTold(conversationId, notes));
		const ending = {
			outcome: end.outcome,
			createdAt: isoTime(now),
			model: row.model,
			durationMs: Math.max(0, now - Date.parse(turn.startedAt)),
		};
		const { content, metadata } = finishTurn(turn, { ...ending, error: end.error });
		const messageId = toMessageId(turn.messageId);
		core.store.messages.addMessage(conversationId, { id: messageId, role: "assistant", content, metadata, createdAt: now });
		if (end.error !== undefined) core.log.append(conversationId, { type: "copilot:error", data: end.error });
		const status = end.outcome === "completed" || end.outcome === "aborted" ? "completed" : "error";
		core.store.conversations.update(conversationId, { status, updatedAt: now });
		core.store.turns.end(conversationId);
		core.log.append(conversationId, { type: "copilot:stream-status", data: { status } });
		core.log.append(conversationId, { type: "copilot:idle", data: { messageId, ...ending } });
	});
}

/** No result will come for these tools any more: everybody is told, and the turn is stored as everybody shows it then. */
function settleOpenTools(core: CoreContext, conversationId: ConversationId, shown: RunningTurn, end: TurnEnd): RunningTurn {
	const error = end.outcome === "aborted" ? "Stopped." : "Interrupted.";
	let turn = shown;
	for (const { toolCallId, success } of shown.tools) {
		if (success !== undefined) continue;
		const ended: LogEvent = { type: "copilot:tool_end", data: { toolCallId, success: false, error } };
		core.log.append(conversationId, ended);
		turn = foldTurn(turn, ended);
	}
	return turn;
}
