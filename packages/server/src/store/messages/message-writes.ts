import type { MessageChanges } from "@rightseat/protocol/model/change";
import type { Message } from "@rightseat/protocol/model/message";
import type { Clock } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import { type ConversationId, type IdSource, type MessageId, messageId } from "../../core/kernel/ids.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import { numberColumn, textColumn, textOrNullColumn } from "../../core/ports/sql-row.ts";
import type { MessageStore, NewMessage } from "../../core/ports/store.ts";
import type { SearchIndex } from "../search/search-index.ts";
import { cleanJson, cleanText } from "../sqlite/clean-text.ts";
import { readOwnJson } from "../sqlite/own-json.ts";
import { sqlFault } from "../sqlite/sql-errors.ts";
import { type MessageOrder, QUEUE_START } from "./message-order.ts";
import { isAnswer, metadataColumns, toMessage } from "./message-row.ts";
import { type StoredMetadata, splitAnswer } from "./stored-answer.ts";
import type { TextPieces } from "./text-pieces.ts";

/** Removed messages whose client ids a conversation remembers, the newest. */
export const MAX_REMOVED_MESSAGES = 1_000;

interface WriteDeps {
	sql: SqlDatabase;
	clock: Clock;
	ids: IdSource;
	index: SearchIndex;
	order: MessageOrder;
	pieces: TextPieces;
}

/** Everything that changes messages. */
export function createMessageWrites(
	deps: WriteDeps,
): Pick<MessageStore, "addMessage" | "update" | "delete" | "setChanges" | "takeSteerOut"> {
	const { sql, index } = deps;
	const add = createAdd(deps);
	const change = createChange(deps);
	return {
		addMessage(conversation, message) {
			try {
				return sql.transaction(() => add(conversation, message));
			} catch (error) {
				const fault = sqlFault(error);
				if (fault === "foreign-key") throw new AppError("conversation-not-found", "This conversation no longer exists.");
				if (fault === "unique") throw new AppError("id-reused", "A message with this id is stored already. Send it under a new id.");
				throw error;
			}
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
				if (clientId !== null) rememberRemoved(sql, conversation, { clientId, id, payloadHash: textOrNullColumn(row, "payload_hash") });
			});
		},
		setChanges: (conversation, id, changes) => sql.transaction(() => setChanges(deps, conversation, id, changes)),
		takeSteerOut: (conversation, answer, steered) => sql.transaction(() => takeSteerOut(deps, conversation, answer, steered)),
	};
}

function createAdd({ sql, clock, ids, index, order, pieces }: WriteDeps): (conversation: ConversationId, message: NewMessage) => Message {
	const insert = sql.prepare(`INSERT INTO messages
		(conversation_id, id, position, role, content, metadata, delivery, context, client_message_id, payload_hash, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING key`);
	return function add(conversation, message) {
		const id = message.id ?? messageId(ids.next());
		const split = message.role === "assistant" && isAnswer(message.metadata) ? splitAnswer(message.content, message.metadata) : message;
		const content = cleanText(split.content);
		const metadata = cleanJson(split.metadata);
		const { delivery, context } = metadataColumns(message.metadata);
		const position = order.nextPosition(conversation, delivery === "queued");
		const clientId = message.clientMessageId ?? null;
		const createdAt = message.createdAt ?? clock.now();
		const row = insert.get(
			...[conversation, id, position, message.role, content, metadata, delivery, context],
			...[clientId, message.payloadHash ?? null, createdAt],
		);
		if (row !== undefined) {
			const key = numberColumn(row, "key");
			index.setMessage(key, content);
			if ("pieces" in split) pieces.add(key, split.pieces);
		}
		return toMessage({ id, role: message.role, content, metadata, created_at: createdAt });
	};
}

type Change = (conversation: ConversationId, id: MessageId, patch: { content?: string; metadata?: object }) => void;

function createChange({ sql, index, order }: WriteDeps): Change {
	const find = sql.prepare(
		"SELECT key, position, content, metadata, delivery, context FROM messages WHERE conversation_id = ? AND id = ? AND role = 'user'",
	);
	return function change(conversation, id, patch) {
		const row = find.get(conversation, id);
		if (row === undefined) throw new AppError("message-not-found", "This message does not exist any more.");
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
}

function setChanges({ sql, pieces }: WriteDeps, conversation: ConversationId, id: MessageId, changes: MessageChanges): void {
	const row = sql.prepare("SELECT key, metadata FROM messages WHERE conversation_id = ? AND id = ?").get(conversation, id);
	if (row === undefined) return;
	const key = numberColumn(row, "key");
	const changed = (json: string) => cleanJson({ ...readOwnJson<object>(json), changes });
	sql.prepare("UPDATE messages SET metadata = ? WHERE key = ?").run(changed(textColumn(row, "metadata")), key);
	const all = pieces.find(key, "metadata");
	if (all !== undefined) pieces.replaceText(key, "metadata", changed(all));
}

function takeSteerOut({ sql, pieces }: WriteDeps, conversation: ConversationId, answer: MessageId, steered: MessageId): void {
	const row = sql
		.prepare("SELECT key, metadata FROM messages WHERE conversation_id = ? AND id = ? AND role = 'assistant'")
		.get(conversation, answer);
	if (row === undefined) return;
	const key = numberColumn(row, "key");
	const inRow = withoutSteer(textColumn(row, "metadata"), steered);
	if (inRow !== undefined) sql.prepare("UPDATE messages SET metadata = ? WHERE key = ?").run(inRow, key);
	const all = withoutSteer(pieces.find(key, "metadata") ?? "{}", steered);
	if (all !== undefined) pieces.replaceText(key, "metadata", all);
}

/** Undefined when it is no part of it. */
function withoutSteer(json: string, steered: MessageId): string | undefined {
	const metadata = readOwnJson<Partial<StoredMetadata>>(json);
	const parts = metadata.parts?.filter((part) => part.kind !== "steer" || part.messageId !== steered);
	return parts?.length === metadata.parts?.length ? undefined : cleanJson({ ...metadata, parts });
}

/** Without this a repeated send of a dropped prompt would be taken for a new one, and run. */
function rememberRemoved(
	sql: SqlDatabase,
	conversation: ConversationId,
	removed: { clientId: string; id: MessageId; payloadHash: string | null },
): void {
	sql
		.prepare("INSERT OR REPLACE INTO removed_messages (conversation_id, client_message_id, message_id, payload_hash) VALUES (?, ?, ?, ?)")
		.run(conversation, removed.clientId, removed.id, removed.payloadHash);
	sql
		.prepare(
			`DELETE FROM removed_messages WHERE conversation_id = ?1 AND key <=
				(SELECT key FROM removed_messages WHERE conversation_id = ?1 ORDER BY key DESC LIMIT 1 OFFSET ${MAX_REMOVED_MESSAGES})`,
		)
		.run(conversation);
}
