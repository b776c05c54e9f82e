import { originSchema } from "@rightseat/protocol/model/vocabulary";
import { conversationId, execId, messageId, seq } from "../../core/kernel/ids.ts";
import type { SqlDatabase, SqlRow } from "../../core/ports/sql.ts";
import { numberColumn, numberOrNullColumn, textColumn, textOrNullColumn } from "../../core/ports/sql-row.ts";
import type { CommandRow, CommandStore } from "../../core/ports/store.ts";
import { cleanText } from "../sqlite/clean-text.ts";

export function createCommandStore(sql: SqlDatabase): CommandStore {
	const find = (condition: string, ...values: string[]) => {
		const row = sql.prepare(`SELECT * FROM commands WHERE ${condition}`).get(...values);
		return row === undefined ? undefined : toCommand(row);
	};
	return {
		insert(row) {
			sql
				.prepare(
					`INSERT INTO commands (exec_id, conversation_id, command, cwd, origin, client_message_id, started_at, first_seq, ended_at, message_id)
					VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
				)
				.run(
					...[row.execId, row.conversationId, cleanText(row.command), cleanText(row.cwd), row.origin],
					...[row.clientMessageId, row.startedAt, row.firstSeq, row.endedAt, row.messageId],
				);
		},
		end(id, endedAt, message) {
			sql.prepare("UPDATE commands SET ended_at = ?, message_id = ? WHERE exec_id = ?").run(endedAt, message, id);
		},
		find: (id) => find("exec_id = ?", id),
		findByClientId: (conversation, clientId) => find("conversation_id = ? AND client_message_id = ?", conversation, clientId),
		running: () => sql.prepare("SELECT * FROM commands WHERE ended_at IS NULL ORDER BY started_at").all().map(toCommand),
	};
}

function toCommand(row: SqlRow): CommandRow {
	const message = textOrNullColumn(row, "message_id");
	return {
		execId: execId(textColumn(row, "exec_id")),
		conversationId: conversationId(textColumn(row, "conversation_id")),
		command: textColumn(row, "command"),
		cwd: textColumn(row, "cwd"),
		origin: originSchema.parse(row.origin),
		clientMessageId: textOrNullColumn(row, "client_message_id"),
		startedAt: numberColumn(row, "started_at"),
		firstSeq: seq(numberColumn(row, "first_seq")),
		endedAt: numberOrNullColumn(row, "ended_at"),
		messageId: message === null ? null : messageId(message),
	};
}
