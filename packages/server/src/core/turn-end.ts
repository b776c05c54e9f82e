import type { TurnError, TurnOutcome } from "@rightseat/protocol/entities";
import type { CoreContext } from "./core-context.ts";
import { type ConversationId, type MessageId, messageId as toMessageId } from "./ids.ts";
import { isUntouched, type Transcript, textOf, toMetadata } from "./transcript.ts";

/** Newest events that stay in the log after a turn; who is further behind gets a snapshot anyway. */
export const KEPT_EVENTS = 2_000;

export interface TurnEnd {
	outcome: TurnOutcome;
	error?: TurnError;
}

/**
 * Stores a turn and closes it, in one transaction: open tools settled, the assistant message with what was shown, the error, the status, one `idle`, last.
 * Serves the normal end and the recovery of a turn that a crash cut off.
 */
export function storeTurnEnd(
	core: CoreContext,
	conversationId: ConversationId,
	transcript: Transcript,
	end: TurnEnd,
	contextIds: MessageId[],
): void {
	const row = core.row(conversationId);
	core.log.commit(() => {
		settleOpenTools(core, conversationId, transcript, end);
		if (end.outcome !== "completed" && isUntouched(transcript)) giveContextBack(core, conversationId, contextIds);
		const { messageId } = transcript;
		core.store.messages.addMessage(conversationId, {
			id: toMessageId(messageId),
			role: "assistant",
			content: textOf(transcript),
			metadata: toMetadata(transcript, { ...end, now: core.clock.now(), model: row.model }),
			createdAt: core.clock.now(),
		});
		if (end.error !== undefined) core.log.append(conversationId, { type: "copilot:error", data: end.error });
		const status = end.outcome === "completed" || end.outcome === "aborted" ? "completed" : "error";
		core.store.conversations.update(conversationId, { status, updatedAt: core.clock.now() });
		core.store.turns.end(conversationId);
		core.log.append(conversationId, { type: "copilot:stream-status", data: { status } });
		core.log.append(conversationId, { type: "copilot:idle", data: { messageId, outcome: end.outcome } });
	});
}

function settleOpenTools(core: CoreContext, conversationId: ConversationId, transcript: Transcript, end: TurnEnd): void {
	const error = end.outcome === "aborted" ? "Stopped." : "Interrupted.";
	transcript.tools = transcript.tools.map((tool) => {
		if (tool.success !== undefined) return tool;
		core.log.append(conversationId, { type: "copilot:tool_end", data: { toolCallId: tool.toolCallId, success: false, error } });
		// No result will come that holds it: what was seen of its output stays.
		return { ...tool, success: false, error };
	});
}

/** The model never saw these results: the next prompt carries them again. */
function giveContextBack(core: CoreContext, conversationId: ConversationId, contextIds: MessageId[]): void {
	for (const id of contextIds) {
		const message = core.store.messages.find(conversationId, id);
		if (message?.role !== "user" || message.metadata.context !== "used") continue;
		core.store.messages.update(conversationId, id, { metadata: { ...message.metadata, context: "pending" } });
	}
}
