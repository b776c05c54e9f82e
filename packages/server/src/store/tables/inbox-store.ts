import type { Params } from "@rightseat/protocol/model/params";
import { conversationId, messageId } from "../../core/kernel/ids.ts";
import type { InboxStore, UnseenEnd } from "../../core/ports/inbox-store.ts";
import type { SqlDatabase, SqlRow } from "../../core/ports/sql.ts";
import { numberColumn, textColumn } from "../../core/ports/sql-row.ts";
import { cleanText } from "../sqlite/clean-text.ts";
import { readOwnJson } from "../sqlite/own-json.ts";

const KINDS = ["failed", "interrupted", "finished", "login-needed"] as const;

export function createInboxStore(sql: SqlDatabase): InboxStore {
	return {
		setEnd({ conversationId: id, messageId: message, kind, since, why, code, params }) {
			sql
				.prepare(
					"INSERT OR REPLACE INTO inbox_ends (conversation_id, message_id, kind, since, why, code, params) VALUES (?, ?, ?, ?, ?, ?, ?)",
				)
				.run(id, message, kind, since, cleanText(why), code, cleanText(JSON.stringify(params)));
		},
		findEnd(id) {
			const row = sql.prepare("SELECT * FROM inbox_ends WHERE conversation_id = ?").get(id);
			return row === undefined ? undefined : toEnd(row);
		},
		clearEnd(id) {
			sql.prepare("DELETE FROM inbox_ends WHERE conversation_id = ?").run(id);
		},
		ends: (limit) =>
			sql
				.prepare(
					`SELECT e.*, c.title, c.agent FROM inbox_ends e JOIN conversations c ON c.id = e.conversation_id
					 WHERE c.archived = 0 ORDER BY e.since, e.conversation_id LIMIT ?`,
				)
				.all(limit)
				.map((row) => ({ ...toEnd(row), title: textColumn(row, "title"), agent: textColumn(row, "agent") })),
		marks: () =>
			sql
				.prepare("SELECT item_id, seen, snoozed_until FROM inbox_marks ORDER BY position")
				.all()
				.map((row) => ({
					itemId: textColumn(row, "item_id"),
					seen: numberColumn(row, "seen") === 1,
					snoozedUntil: numberColumn(row, "snoozed_until"),
				})),
		setMark({ itemId, seen, snoozedUntil }) {
			sql
				.prepare("INSERT OR REPLACE INTO inbox_marks (item_id, seen, snoozed_until) VALUES (?, ?, ?)")
				.run(itemId, Number(seen), snoozedUntil);
		},
		removeMark(itemId) {
			sql.prepare("DELETE FROM inbox_marks WHERE item_id = ?").run(itemId);
		},
	};
}

function toEnd(row: SqlRow): UnseenEnd {
	return {
		conversationId: conversationId(textColumn(row, "conversation_id")),
		messageId: messageId(textColumn(row, "message_id")),
		kind: KINDS.find((kind) => kind === row.kind) ?? "failed",
		since: numberColumn(row, "since"),
		why: textColumn(row, "why"),
		code: textColumn(row, "code"),
		params: readOwnJson<Params>(textColumn(row, "params")),
	};
}
