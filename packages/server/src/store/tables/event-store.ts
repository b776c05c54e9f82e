import { AppError } from "../../core/kernel/errors.ts";
import { type ConversationId, type Seq, seq } from "../../core/kernel/ids.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import { numberColumn, textColumn } from "../../core/ports/sql-row.ts";
import type { EventStore } from "../../core/ports/store.ts";
import { sqlFault } from "../sqlite/sql-errors.ts";
import { quietConversations, type RunSql, trimEvents } from "./event-trim.ts";

export function createEventStore(sql: SqlDatabase, background: RunSql): EventStore {
	const insert = sql.prepare("INSERT INTO events (conversation_id, seq, frame) VALUES (?, ?, ?)");
	const after = sql.prepare("SELECT seq, frame FROM events WHERE conversation_id = ? AND seq > ? ORDER BY seq LIMIT ?");
	const sizes = sql.prepare("SELECT octet_length(frame) AS bytes FROM events WHERE conversation_id = ? AND seq > ? ORDER BY seq LIMIT ?");
	const first = sql.prepare("SELECT seq FROM events WHERE conversation_id = ? ORDER BY seq LIMIT 1");
	function countWithin(conversation: ConversationId, position: Seq, limit: number, maxBytes: number): number {
		let left = maxBytes;
		const rows = sizes.all(conversation, position, limit);
		const over = rows.findIndex((row) => {
			left -= numberColumn(row, "bytes");
			return left < 0;
		});
		return over < 0 ? rows.length : over;
	}
	return {
		append(conversation, position, frame) {
			try {
				insert.run(conversation, position, frame);
			} catch (error) {
				if (sqlFault(error) !== "foreign-key") throw error;
				throw new AppError("conversation-not-found", "This conversation no longer exists.", { cause: error });
			}
		},
		after: (conversation, position, limit, maxBytes) =>
			after
				.all(conversation, position, maxBytes === undefined ? limit : countWithin(conversation, position, limit, maxBytes))
				.map((row) => ({ seq: seq(numberColumn(row, "seq")), frame: textColumn(row, "frame") })),
		firstSeq(conversation) {
			const row = first.get(conversation);
			return row === undefined ? undefined : seq(numberColumn(row, "seq"));
		},
		trim: (conversation, keep) => trimEvents(background, conversation, keep),
		quietSince: (before, limit) => quietConversations(background, before, limit),
	};
}
