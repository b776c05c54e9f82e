import { conversationId } from "../../core/kernel/ids.ts";
import type { SqlDatabase, SqlRow } from "../../core/ports/sql.ts";
import { numberColumn, textColumn, textOrNullColumn } from "../../core/ports/sql-row.ts";
import type { AttachmentRow, AttachmentStore } from "../../core/ports/store.ts";
import { cleanText } from "../sqlite/clean-text.ts";

export function createAttachmentStore(sql: SqlDatabase): AttachmentStore {
	return {
		insert(row) {
			sql
				.prepare("INSERT INTO attachments (id, name, mime_type, size, path, created_at, conversation_id) VALUES (?, ?, ?, ?, ?, ?, ?)")
				.run(row.id, cleanText(row.name), cleanText(row.mimeType), row.size, cleanText(row.path), row.createdAt, row.conversationId);
		},
		find(id) {
			const row = sql.prepare("SELECT * FROM attachments WHERE id = ?").get(id);
			return row === undefined ? undefined : toAttachment(row);
		},
		unused: (before) =>
			sql
				.prepare("SELECT * FROM attachments WHERE conversation_id IS NULL AND created_at < ? ORDER BY created_at")
				.all(before)
				.map(toAttachment),
		bind(id, conversation) {
			sql.prepare("UPDATE attachments SET conversation_id = ? WHERE id = ?").run(conversation, id);
		},
		delete(id) {
			sql.prepare("DELETE FROM attachments WHERE id = ?").run(id);
		},
		ofConversation: (conversation) =>
			sql.prepare("SELECT * FROM attachments WHERE conversation_id = ? ORDER BY created_at").all(conversation).map(toAttachment),
	};
}

function toAttachment(row: SqlRow): AttachmentRow {
	const conversation = textOrNullColumn(row, "conversation_id");
	return {
		id: textColumn(row, "id"),
		name: textColumn(row, "name"),
		mimeType: textColumn(row, "mime_type"),
		size: numberColumn(row, "size"),
		path: textColumn(row, "path"),
		createdAt: numberColumn(row, "created_at"),
		conversationId: conversation === null ? null : conversationId(conversation),
	};
}
