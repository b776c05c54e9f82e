import type { ServerFrameOf } from "@rightseat/protocol/frames/server";
import type { ActiveConversations } from "../active/active-conversations.ts";
import { toQueueItem } from "../commands/announcements.ts";
import { toContextItem } from "../commands/bash-context.ts";
import type { ConversationRow, Store } from "../ports/store.ts";

/** The newest messages that a snapshot carries; older ones are fetched page by page. */
const SNAPSHOT_MESSAGES = 40;
/** Of their texts and metadata as stored. */
export const MAX_SNAPSHOT_BYTES = 524_288;

interface SnapshotDeps {
	store: Pick<Store, "messages">;
	active: Pick<ActiveConversations, "find">;
}

/** Everything a reader needs to draw the conversation as it stands at its newest event. */
export function snapshotOf(deps: SnapshotDeps, row: ConversationRow): ServerFrameOf<"copilot:snapshot"> {
	const live = deps.active.find(row.id);
	const { messages, nextCursor } = deps.store.messages.page(row.id, { limit: SNAPSHOT_MESSAGES, maxBytes: MAX_SNAPSHOT_BYTES });
	const turn = live?.turn?.shown;
	return {
		type: "copilot:snapshot",
		data: {
			conversationId: row.id,
			epoch: row.epoch,
			seq: row.headSeq,
			status: turn === undefined ? row.status : "streaming",
			messages,
			...(nextCursor === undefined ? {} : { nextCursor }),
			...(turn === undefined ? {} : { turn }),
			queue: deps.store.messages.queued(row.id).map(toQueueItem),
			questions: [...(live?.questions.values() ?? [])].map(({ settle: _, ...question }) => question),
			permissions: [...(live?.permissions.values() ?? [])].map(({ settle: _, ...permission }) => permission),
			commands: [...(live?.commands.values() ?? [])].map(({ execId, command, cwd, startedAt, output, clientMessageId }) => ({
				execId,
				command,
				cwd,
				startedAt,
				output,
				...(clientMessageId === undefined ? {} : { clientMessageId }),
			})),
			context: deps.store.messages.pendingContext(row.id).map(toContextItem),
		},
	};
}

export function statusFrame(deps: SnapshotDeps, row: ConversationRow, mode: "delta" | "snapshot"): ServerFrameOf<"copilot:stream-status"> {
	const turn = deps.active.find(row.id)?.turn;
	const data = { conversationId: row.id, epoch: row.epoch, headSeq: row.headSeq, mode };
	if (turn === undefined) return { type: "copilot:stream-status", data: { ...data, status: row.status } };
	const { messageId, userMessageId, startedAt } = turn.shown;
	return { type: "copilot:stream-status", data: { ...data, status: "streaming", turn: { messageId, userMessageId, startedAt } } };
}
