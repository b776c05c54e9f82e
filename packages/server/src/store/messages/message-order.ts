import type { ConversationId, MessageId } from "../../core/kernel/ids.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import { numberColumn, textColumn } from "../../core/ports/sql-row.ts";

/** Queued prompts have positions from here on, so that one index gives the order of everything. */
export const QUEUE_START = 2 ** 40;

export type MessageOrder = ReturnType<typeof createMessageOrder>;

/** Positions of messages within their conversation. */
export function createMessageOrder(sql: SqlDatabase) {
	const last = sql.prepare("SELECT max(position) AS last FROM messages WHERE conversation_id = ? AND position < ?");
	const lastQueued = sql.prepare("SELECT max(position) AS last FROM messages WHERE conversation_id = ? AND position >= ?");
	const place = sql.prepare("UPDATE messages SET position = ? WHERE conversation_id = ? AND id = ?");

	const nextPosition = (conversation: ConversationId, queued: boolean) => {
		const row = (queued ? lastQueued : last).get(conversation, QUEUE_START);
		return (typeof row?.last === "number" ? row.last : queued ? QUEUE_START - 1 : 0) + 1;
	};
	return {
		nextPosition,
		find(conversation: ConversationId, id: MessageId): number | undefined {
			const row = sql.prepare("SELECT position FROM messages WHERE conversation_id = ? AND id = ?").get(conversation, id);
			return row === undefined ? undefined : numberColumn(row, "position");
		},
		moveToEnd(conversation: ConversationId, id: MessageId) {
			place.run(nextPosition(conversation, false), conversation, id);
		},
		moveToQueue(conversation: ConversationId, id: MessageId) {
			place.run(nextPosition(conversation, true), conversation, id);
		},
		orderQueue(conversation: ConversationId, ids: readonly MessageId[]) {
			const rows = sql
				.prepare("SELECT id FROM messages WHERE conversation_id = ? AND delivery = 'queued' ORDER BY position, key")
				.all(conversation);
			const queued = rows.map((row) => textColumn(row, "id"));
			const named: string[] = [...new Set(ids)].filter((id) => queued.includes(id));
			const ordered = [...named, ...queued.filter((id) => !named.includes(id))];
			for (const [offset, id] of ordered.entries()) place.run(QUEUE_START + offset, conversation, id);
		},
	};
}
