import type { Clock } from "../../core/kernel/clock.ts";
import { conversationId, type IdSource } from "../../core/kernel/ids.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import { textColumn } from "../../core/ports/sql-row.ts";
import type { MessageStore } from "../../core/ports/store.ts";
import type { SearchIndex } from "../search/search-index.ts";
import { createMessageCopies } from "./copy-messages.ts";
import { createMessageOrder } from "./message-order.ts";
import { createMessageReads } from "./message-reads.ts";
import { createMessageWrites } from "./message-writes.ts";
import { createTextPieces } from "./text-pieces.ts";

/** Core's `MessageStore` over the tables `messages`, `message_pieces` and `removed_messages`. */
export function createMessageStore(deps: { sql: SqlDatabase; clock: Clock; ids: IdSource; index: SearchIndex }): MessageStore {
	const { sql, index } = deps;
	const order = createMessageOrder(sql);
	const pieces = createTextPieces(sql);
	return {
		...createMessageReads({ sql, order, pieces }),
		...createMessageWrites({ ...deps, order, pieces }),
		...createMessageCopies({ sql, index, order }),
		orderQueue: (conversation, ids) => sql.transaction(() => order.orderQueue(conversation, ids)),
		conversationsWithQueue: () =>
			sql
				.prepare("SELECT DISTINCT conversation_id FROM messages WHERE delivery = 'queued'")
				.all()
				.map((row) => conversationId(textColumn(row, "conversation_id"))),
		search: (query, limit) => index.search(query, limit),
	};
}
