import { conversationId, messageId, seq } from "../../core/kernel/ids.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import { numberColumn, textColumn } from "../../core/ports/sql-row.ts";
import type { TurnStore } from "../../core/ports/store.ts";

export function createTurnStore(sql: SqlDatabase): TurnStore {
	const insert = sql.prepare(
		"INSERT OR REPLACE INTO open_turns (conversation_id, message_id, user_message_id, started_at, first_seq) VALUES (?, ?, ?, ?, ?)",
	);
	const remove = sql.prepare("DELETE FROM open_turns WHERE conversation_id = ?");
	return {
		begin(turn) {
			insert.run(turn.conversationId, turn.messageId, turn.userMessageId, turn.startedAt, turn.firstSeq);
		},
		end(conversation) {
			remove.run(conversation);
		},
		open: () =>
			sql
				.prepare("SELECT * FROM open_turns ORDER BY started_at")
				.all()
				.map((row) => ({
					conversationId: conversationId(textColumn(row, "conversation_id")),
					messageId: messageId(textColumn(row, "message_id")),
					userMessageId: messageId(textColumn(row, "user_message_id")),
					startedAt: numberColumn(row, "started_at"),
					firstSeq: seq(numberColumn(row, "first_seq")),
				})),
	};
}
