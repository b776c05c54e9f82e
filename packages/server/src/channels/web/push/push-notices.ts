import type { SqlDatabase } from "../../../core/ports/sql.ts";
import { numberColumn, textColumn, textOrNullColumn } from "../../../core/ports/sql-row.ts";

/** Which items of the inbox were told, over restarts, so that each is told once and taken back when it is settled. */
export interface PushNotices {
	list(): PushNotice[];
	add(notice: PushNotice): void;
	remove(itemId: string): void;
}

export interface PushNotice {
	itemId: string;
	conversationId: string | null;
	/** A notification is out; else somebody else tells it, or nobody wants to know. */
	isSent: boolean;
}

/** There is a notice for at most every item of the inbox. */
export function createPushNotices(sql: SqlDatabase): PushNotices {
	return {
		list: () =>
			sql
				.prepare("SELECT item_id, conversation_id, sent FROM inbox_told")
				.all()
				.map((row) => ({
					itemId: textColumn(row, "item_id"),
					conversationId: textOrNullColumn(row, "conversation_id"),
					isSent: numberColumn(row, "sent") === 1,
				})),
		add({ itemId, conversationId, isSent }) {
			sql
				.prepare("INSERT OR REPLACE INTO inbox_told (item_id, conversation_id, sent) VALUES (?, ?, ?)")
				.run(itemId, conversationId, Number(isSent));
		},
		remove: (itemId) => void sql.prepare("DELETE FROM inbox_told WHERE item_id = ?").run(itemId),
	};
}
