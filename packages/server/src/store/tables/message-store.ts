import type { Message } from "@rightseat/protocol/model/message";
import type { Clock } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import { type ConversationId, conversationId, type IdSource, type MessageId, messageId } from "../../core/kernel/ids.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import { numberColumn, textColumn, textOrNullColumn } from "../../core/ports/sql-row.ts";
import type { MessageStore, NewMessage } from "../../core/ports/store.ts";
import type { SearchIndex } from "../search/search-index.ts";
import { cleanJson, cleanText } from "../sqlite/clean-text.ts";
import { sqlFault } from "../sqlite/sql-errors.ts";
import { createMessageOrder, QUEUE_START } from "./message-order.ts";
import { MESSAGE_COLUMNS, metadataColumns, toMessage } from "./message-row.ts";

const ITERATE_PAGE = 200;
/** Removed messages whose client ids a conversation remembers, the newest. */
export const MAX_REMOVED_MESSAGES = 1_000;

export function createMessageStore(deps: { sql: SqlDatabase; clock: Clock; ids: IdSource; index: SearchIndex }): MessageStore {
	const { sql, clock, ids, index } = deps;
	const order = createMessageOrder(sql);
	const select = (condition: string) => sql.prepare(`SELECT ${MESSAGE_COLUMNS} FROM messages WHERE conversation_id = ? AND ${condition}`);
	const byId = select("id = ?");
	const older = select("position < ? ORDER BY position DESC, key DESC LIMIT ?");
	const sizes = sql.prepare(`SELECT octet_length(content) + octet_length(metadata) AS bytes FROM messages
		WHERE conversation_id = ? AND position < ? ORDER BY position DESC, key DESC LIMIT ?`);
	const insert = sql.prepare(`INSERT INTO messages
		(conversation_id, id, position, role, content, metadata, delivery, context, client_message_id, payload_hash, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING key`);

	const add = (conversation: ConversationId, message: NewMessage): Message => {
		const id = message.id ?? messageId(ids.next());
		const content = cleanText(message.content);
		const metadata = cleanJson(message.metadata);
		const { delivery, context } = metadataColumns(message.metadata);
		const position = order.nextPosition(conversation, delivery === "queued");
		const clientId = message.clientMessageId ?? null;
		const createdAt = message.createdAt ?? clock.now();
		const row = insert.get(
			...[conversation, id, position, message.role, content, metadata, delivery, context],
			...[clientId, message.payloadHash ?? null, createdAt],
		);
		if (row !== undefined) index.setMessage(numberColumn(row, "key"), content);
		return toMessage({ id, role: message.role, content, metadata, created_at: createdAt });
	};

	const change = (conversation: ConversationId, id: MessageId, patch: { content?: string; metadata?: object }) => {
		const row = sql
			.prepare("SELECT key, position, content, metadata, delivery, context FROM messages WHERE conversation_id = ? AND id = ?")
			.get(conversation, id);
		if (row === undefined) throw messageNotFound();
		const content = patch.content === undefined ? textColumn(row, "content") : cleanText(patch.content);
		const metadata = patch.metadata === undefined ? textColumn(row, "metadata") : cleanJson(patch.metadata);
		const { delivery, context } = patch.metadata === undefined ? row : metadataColumns(patch.metadata);
		const key = numberColumn(row, "key");
		sql
			.prepare("UPDATE messages SET content = ?, metadata = ?, delivery = ?, context = ? WHERE key = ?")
			.run(content, metadata, delivery ?? null, context ?? null, key);
		if (patch.content !== undefined) index.setMessage(key, content);
		const isInQueue = numberColumn(row, "position") >= QUEUE_START;
		if (patch.metadata !== undefined && delivery === "queued" && !isInQueue) order.moveToQueue(conversation, id);
		if (patch.metadata !== undefined && delivery !== "queued" && isInQueue) order.moveToEnd(conversation, id);
	};

	/** Without this a repeated send of a dropped prompt would be taken for a new one, and run. */
	const rememberRemoved = (conversation: ConversationId, clientId: string, id: MessageId, payloadHash: string | null) => {
		sql
			.prepare("INSERT OR REPLACE INTO removed_messages (conversation_id, client_message_id, message_id, payload_hash) VALUES (?, ?, ?, ?)")
			.run(conversation, clientId, id, payloadHash);
		sql
			.prepare(
				`DELETE FROM removed_messages WHERE conversation_id = ?1 AND key <=
					(SELECT key FROM removed_messages WHERE conversation_id = ?1 ORDER BY key DESC LIMIT 1 OFFSET ${MAX_REMOVED_MESSAGES})`,
			)
			.run(conversation);
	};

	function* iterate(conversation: ConversationId): Generator<Message> {
		const following = sql.prepare(`SELECT key, position, ${MESSAGE_COLUMNS} FROM messages
			WHERE conversation_id = ? AND (position, key) > (?, ?) ORDER BY position, key LIMIT ?`);
		let [position, key] = [-1, -1];
		for (;;) {
			const rows = following.all(conversation, position, key, ITERATE_PAGE);
			for (const row of rows) yield toMessage(row);
			const last = rows.at(-1);
			if (last === undefined || rows.length < ITERATE_PAGE) return;
			position = numberColumn(last, "position");
			key = numberColumn(last, "key");
		}
	}

	return {
		addMessage(conversation, message) {
			try {
				return sql.transaction(() => add(conversation, message));
			} catch (error) {
				const fault = sqlFault(error);
				if (fault === "foreign-key") throw new AppError("conversation-not-found", "This conversation does not exist any more.");
				if (fault === "unique") throw new AppError("id-reused", "A message with this id is stored already. Send it under a new id.");
				throw error;
			}
		},
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
		update: (conversation, id, patch) => sql.transaction(() => change(conversation, id, patch)),
		delete(conversation, id) {
			sql.transaction(() => {
				const row = sql
					.prepare("DELETE FROM messages WHERE conversation_id = ? AND id = ? RETURNING key, client_message_id, payload_hash")
					.get(conversation, id);
				if (row === undefined) return;
				index.forgetMessage(numberColumn(row, "key"));
				const clientId = textOrNullColumn(row, "client_message_id");
				if (clientId !== null) rememberRemoved(conversation, clientId, id, textOrNullColumn(row, "payload_hash"));
			});
		},
		moveToEnd: (conversation, id) => sql.transaction(() => order.moveToEnd(conversation, id)),
		queued: (conversation) => select("delivery = 'queued' ORDER BY position, key").all(conversation).map(toMessage),
		orderQueue: (conversation, order_) => sql.transaction(() => order.orderQueue(conversation, order_)),
		pendingContext: (conversation) => select("context = 'pending' ORDER BY position, key").all(conversation).map(toMessage),
		conversationsWithQueue: () =>
			sql
				.prepare("SELECT DISTINCT conversation_id FROM messages WHERE delivery = 'queued'")
				.all()
				.map((row) => conversationId(textColumn(row, "conversation_id"))),
		search: (query, limit) => index.search(query, limit),
		iterate,
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

const messageNotFound = () => new AppError("message-not-found", "This message does not exist any more.");
