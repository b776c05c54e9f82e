import type { AssistantMetadata, UserMetadata } from "@rightseat/protocol/model/message";
import { type ConversationId, type MessageId, messageId } from "../../core/kernel/ids.ts";
import type { SqlDatabase, SqlRow } from "../../core/ports/sql.ts";
import { numberColumn, textColumn, textOrNullColumn } from "../../core/ports/sql-row.ts";
import type { CopyStep, CutHistory, MessageStore } from "../../core/ports/store.ts";
import type { SearchIndex } from "../search/search-index.ts";
import { cleanJson } from "../sqlite/clean-text.ts";
import { readOwnJson } from "../sqlite/own-json.ts";
import { type MessageOrder, QUEUE_START } from "./message-order.ts";
import { metadataColumns } from "./message-row.ts";

/** A step copies so many messages or, with their pieces, about so many bytes: other work goes on between two of them. */
export const MAX_COPIED_ROWS = 200;
export const MAX_COPIED_BYTES = 1_048_576;

interface CopyDeps {
	sql: SqlDatabase;
	index: Pick<SearchIndex, "setMessage">;
	order: Pick<MessageOrder, "find" | "nextPosition">;
}

/** Where a conversation can be cut, and its messages before that in another one. */
export function createMessageCopies(deps: CopyDeps): Pick<MessageStore, "setMark" | "findCut" | "historyBefore" | "copyStep"> {
	const { sql, order } = deps;
	return {
		setMark(conversation, id, mark) {
			sql.prepare("UPDATE messages SET agent_mark = ? WHERE conversation_id = ? AND id = ?").run(mark, conversation, id);
		},
		findCut(conversation, before) {
			const found = before === undefined ? QUEUE_START : order.find(conversation, before);
			if (found === undefined) return undefined;
			// A prompt that waits in the queue is not said yet, and what is said while a copy is made comes after it.
			const position = Math.min(found, order.nextPosition(conversation, false));
			const one = (what: string, condition: string, ...values: number[]) =>
				sql.prepare(`SELECT ${what} FROM messages WHERE conversation_id = ? AND ${condition} LIMIT 1`).get(conversation, ...values);
			const prompt = one("id, position", "delivery = 'taken' AND position < ? ORDER BY position DESC", position);
			const promptAt = prompt === undefined ? -1 : numberColumn(prompt, "position");
			const isAnswered = one("1 AS found", "role = 'assistant' AND position > ? AND position < ?", promptAt, position) !== undefined;
			const isUnanswered = prompt !== undefined && !isAnswered;
			const carrier = one("position", "delivery IN ('taken', 'steered') AND position < ? ORDER BY position DESC", position);
			return {
				position,
				first: idOf(one("id", "position < ? ORDER BY position, key", position)),
				last: idOf(one("id", "position < ? ORDER BY position DESC, key DESC", position)),
				unanswered: isUnanswered ? idOf(prompt) : undefined,
				attachments: attachmentsBefore(sql, conversation, position),
				lastPrompt: carrier === undefined ? -1 : numberColumn(carrier, "position"),
				historyEnd: isUnanswered ? promptAt : position,
			};
		},
		historyBefore: (conversation, place) => historyBefore(sql, conversation, place),
		copyStep: (step) => sql.transaction(() => copyStep(deps, step)),
	};
}

const idOf = (row: SqlRow | undefined): MessageId | undefined => (row === undefined ? undefined : messageId(textColumn(row, "id")));

const attachmentsBefore = (sql: SqlDatabase, conversation: ConversationId, position: number): string[] =>
	sql
		.prepare(`SELECT file.value ->> 'id' AS id FROM messages m, json_each(m.metadata, '$.attachments') file
			WHERE m.conversation_id = ? AND m.position < ? AND m.role = 'user' ORDER BY m.position`)
		.all(conversation, position)
		.map((row) => textColumn(row, "id"));

/** Where the agent's own history is cut so that it ends before this place. */
function historyBefore(sql: SqlDatabase, conversation: ConversationId, place: number): CutHistory {
	const prompt = (condition: string) =>
		sql
			.prepare(`SELECT agent_mark FROM messages WHERE conversation_id = ? AND delivery = 'taken' AND ${condition} LIMIT 1`)
			.get(conversation, place);
	if (prompt("position < ?") === undefined) return { at: "start" };
	const next = prompt(`position >= ? AND position < ${QUEUE_START} ORDER BY position`);
	if (next === undefined) return { at: "end" };
	const mark = textOrNullColumn(next, "agent_mark");
	const before = prompt("position < ? ORDER BY position DESC");
	const after = before === undefined ? null : textOrNullColumn(before, "agent_mark");
	return mark === null && after === null ? { at: "unknown" } : { at: "prompt", mark, after };
}

function copyStep({ sql, index }: CopyDeps, { from, to, cut, after, attachments }: CopyStep): number | undefined {
	const next = sql.prepare(`SELECT key, position, id, role, content, metadata, agent_mark, created_at,
			(SELECT coalesce(sum(octet_length(text)), 0) FROM message_pieces p WHERE p.message_key = m.key) AS more
		FROM messages m WHERE conversation_id = ? AND position > ? AND position < ? ORDER BY position, key LIMIT 1`);
	const insert = sql.prepare(`INSERT INTO messages
		(conversation_id, id, position, role, content, metadata, delivery, context, agent_mark, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING key`);
	const copyPieces = sql.prepare(`INSERT INTO message_pieces (message_key, name, start, text)
		SELECT ?, name, start, text FROM message_pieces WHERE message_key = ?`);
	let [position, bytes] = [after, 0];
	for (let rows = 0; rows < MAX_COPIED_ROWS && bytes < MAX_COPIED_BYTES; rows += 1) {
		const row = next.get(from, position, cut.position);
		if (row === undefined) return undefined;
		position = numberColumn(row, "position");
		const [content, role] = [textColumn(row, "content"), textColumn(row, "role")];
		const metadata = copied(textColumn(row, "metadata"), { attachments, isUncarried: position > cut.lastPrompt });
		const { delivery, context } = metadataColumns(metadata);
		const made = insert.get(
			...[to, textColumn(row, "id"), position, role, content, cleanJson(metadata), delivery, context],
			...[textOrNullColumn(row, "agent_mark"), numberColumn(row, "created_at")],
		);
		if (made === undefined) continue;
		const key = numberColumn(made, "key");
		index.setMessage(key, content);
		copyPieces.run(key, numberColumn(row, "key"));
		bytes += content.length + numberColumn(row, "more");
	}
	return position;
}

/** What it changed in files stays with the original, and so does what its sender called it. */
function copied(json: string, as: { attachments: ReadonlyMap<string, string>; isUncarried: boolean }): object {
	const { changes: _, clientMessageId: __, ...metadata } = readOwnJson<Partial<UserMetadata & Pick<AssistantMetadata, "changes">>>(json);
	const files = metadata.attachments?.map((file) => ({ ...file, id: as.attachments.get(file.id) ?? file.id }));
	return {
		...metadata,
		...(files === undefined ? {} : { attachments: files }),
		// The prompt that carried this result is not in the copy: the next one there carries it.
		...(metadata.context === "used" && as.isUncarried ? { context: "pending" } : {}),
	};
}
