import { type ConversationId, messageId } from "../../core/kernel/ids.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import { numberColumn, textColumn, textOrNullColumn } from "../../core/ports/sql-row.ts";
import type { MessageStore } from "../../core/ports/store.ts";
import type { WholeMessage } from "../../core/ports/whole-message.ts";
import { type MessageOrder, QUEUE_START } from "./message-order.ts";
import { MESSAGE_COLUMNS, toMessage } from "./message-row.ts";
import type { TextPieces } from "./text-pieces.ts";
import { openWhole } from "./whole-message.ts";

type Reads = "find" | "findByClientId" | "findRemoved" | "page" | "queued" | "pendingContext" | "iterate" | "open" | "findTool";

/** Everything that only reads messages. */
export function createMessageReads(deps: { sql: SqlDatabase; order: MessageOrder; pieces: TextPieces }): Pick<MessageStore, Reads> {
	const { sql, order, pieces } = deps;
	const select = (condition: string) => sql.prepare(`SELECT ${MESSAGE_COLUMNS} FROM messages WHERE conversation_id = ? AND ${condition}`);
	const byId = select("id = ?");
	const older = select("position < ? ORDER BY position DESC, key DESC LIMIT ?");
	// An answer's text goes out twice, as its content and in its parts.
	const sizes = sql.prepare(`SELECT octet_length(content) * (1 + (role = 'assistant')) + octet_length(metadata) AS bytes FROM messages
		WHERE conversation_id = ? AND position < ? ORDER BY position DESC, key DESC LIMIT ?`);

	function* iterate(conversation: ConversationId): Generator<WholeMessage> {
		const following = sql.prepare(`SELECT position, ${MESSAGE_COLUMNS} FROM messages
			WHERE conversation_id = ? AND (position, key) > (?, ?) ORDER BY position, key LIMIT 1`);
		let [position, key] = [-1, -1];
		for (;;) {
			const row = following.get(conversation, position, key);
			if (row === undefined) return;
			yield openWhole(row, pieces);
			position = numberColumn(row, "position");
			key = numberColumn(row, "key");
		}
	}

	return {
		find(conversation, id) {
			const row = byId.get(conversation, id);
			return row === undefined ? undefined : toMessage(row);
		},
		findByClientId(conversation, clientMessageId) {
			const row = sql
				.prepare(`SELECT payload_hash, ${MESSAGE_COLUMNS} FROM messages WHERE conversation_id = ? AND client_message_id = ?`)
				.get(conversation, clientMessageId);
			return row === undefined ? undefined : { message: toMessage(row), payloadHash: textOrNullColumn(row, "payload_hash") };
		},
		findRemoved(conversation, clientMessageId) {
			const row = sql
				.prepare("SELECT message_id, payload_hash FROM removed_messages WHERE conversation_id = ? AND client_message_id = ?")
				.get(conversation, clientMessageId);
			if (row === undefined) return undefined;
			return { messageId: messageId(textColumn(row, "message_id")), payloadHash: textOrNullColumn(row, "payload_hash") };
		},
		page(conversation, { before, limit, withQueued, maxBytes = Number.MAX_SAFE_INTEGER }) {
			const place = before === undefined ? Number.MAX_SAFE_INTEGER : order.find(conversation, before);
			if (place === undefined) return { messages: [] };
			const end = withQueued === true ? place : Math.min(place, QUEUE_START);
			// The sizes first: they are read without the texts, and one message may be as large as all the others.
			const found = sizes.all(conversation, end, limit + 1).map((row) => numberColumn(row, "bytes"));
			const count = countWithin(found.slice(0, limit), maxBytes);
			const messages = older.all(conversation, end, count).map(toMessage).reverse();
			const oldest = messages[0];
			return found.length > count && oldest !== undefined ? { messages, nextCursor: oldest.id } : { messages };
		},
		queued: (conversation) => select("delivery = 'queued' ORDER BY position, key").all(conversation).map(toMessage),
		pendingContext: (conversation) => select("context = 'pending' ORDER BY position, key").all(conversation).map(toMessage),
		iterate,
		open(conversation, id) {
			const row = byId.get(conversation, id);
			return row === undefined ? undefined : openWhole(row, pieces);
		},
		findTool(conversation, id, toolCallId) {
			const row = byId.get(conversation, id);
			if (row === undefined) return undefined;
			const { message, answer } = openWhole(row, pieces);
			if (answer !== undefined) return answer.findTool(toolCallId);
			return message.role === "assistant" ? message.metadata.tools.findLast((tool) => tool.toolCallId === toolCallId) : undefined;
		},
	};
}

/** How many of them, from the first on, stay within the bound; at least one. */
function countWithin(sizes: readonly number[], maxBytes: number): number {
	let bytes = 0;
	const over = sizes.findIndex((size, index) => {
		bytes += size;
		return index > 0 && bytes > maxBytes;
	});
	return over < 0 ? sizes.length : over;
}
