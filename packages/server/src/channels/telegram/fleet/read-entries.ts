import { remoteIdOf, splitRemoteId } from "@rightseat/protocol/fleet/ids";
import type { SqlDatabase, SqlRow } from "../../../core/ports/sql.ts";
import { numberColumn, numberOrNullColumn, textColumn, textOrNullColumn } from "../../../core/ports/sql-row.ts";
import { parseOutgoing } from "../outbox/outbox-store.ts";
import {
	type BotEntry,
	bytesOf,
	type ChatEntry,
	fitting,
	MAX_CHATS,
	MAX_HANDLED,
	MAX_KEYS,
	MAX_NOTES,
	MAX_PEOPLE,
	MAX_PROMPTS,
	MAX_ROW_BYTES,
	MAX_THREADS,
} from "./shared-entries.ts";

/** The id that a conversation has on every host. */
const everywhereId = (self: string, id: string) => (splitRemoteId(id) === undefined ? remoteIdOf(self, id) : id);

/** All of a chat that the next holder must know, as it stands on disk. `leftBehind` is said in place of what is too much. */
export function readChat(sql: SqlDatabase, chatId: number, about: { self: string; fence: number; leftBehind: string }): ChatEntry {
	const { self, fence } = about;
	const all = (text: string, ...more: number[]) => sql.prepare(text).all(chatId, ...more);
	const language = sql.prepare("SELECT language FROM telegram_languages WHERE chat_id = ?").get(chatId);
	return fitting({
		fence,
		threads: all("SELECT * FROM telegram_chats WHERE chat_id = ? ORDER BY last_used DESC LIMIT ?", MAX_THREADS).map((row) => ({
			threadId: numberColumn(row, "thread_id"),
			conversationId: everywhereId(self, textColumn(row, "conversation_id")),
			openTurn: textOrNullColumn(row, "open_turn"),
			told: textOrNullColumn(row, "told"),
			createdAt: numberColumn(row, "created_at"),
			lastUsed: numberColumn(row, "last_used"),
		})),
		language: language === undefined ? null : textColumn(language, "language"),
		rows: rowsOf(
			all(
				`SELECT dedupe_key, thread_id, conversation_id, state, size, iif(size <= ${MAX_ROW_BYTES}, payload, NULL) AS payload
				 FROM telegram_outbox WHERE chat_id = ? AND state IN ('pending', 'sending') ORDER BY id LIMIT 550`,
			),
			about,
		),
		settled: all(
			`SELECT dedupe_key FROM telegram_outbox WHERE chat_id = ? AND dedupe_key IS NOT NULL AND length(dedupe_key) <= 300
			 AND state IN ('sent', 'dead', 'unknown') ORDER BY id DESC LIMIT ?`,
			MAX_KEYS,
		).map((row) => textColumn(row, "dedupe_key")),
		live: all("SELECT message_id, leftover FROM telegram_live WHERE chat_id = ? ORDER BY message_id DESC LIMIT ?", MAX_KEYS).map((row) => ({
			messageId: numberColumn(row, "message_id"),
			leftover: textOrNullColumn(row, "leftover"),
		})),
		prompts: all(
			"SELECT message_id, conversation_id, prompt_id FROM telegram_prompts WHERE chat_id = ? ORDER BY position DESC LIMIT ?",
			MAX_PROMPTS,
		).map((row) => ({
			messageId: numberColumn(row, "message_id"),
			conversationId: everywhereId(self, textColumn(row, "conversation_id")),
			promptId: textColumn(row, "prompt_id"),
		})),
	});
}

/** As many as fit, in order; then one that says that there were more. */
function rowsOf(found: readonly SqlRow[], { self, leftBehind }: { self: string; leftBehind: string }): ChatEntry["rows"] {
	const rows: ChatEntry["rows"] = [];
	let bytes = 0;
	for (const row of found) {
		const about = {
			key: textOrNullColumn(row, "dedupe_key"),
			threadId: numberOrNullColumn(row, "thread_id"),
			conversationId: conversationOf(self, textOrNullColumn(row, "conversation_id")),
			state: textColumn(row, "state") === "sending" ? ("sending" as const) : ("pending" as const),
		};
		const payload = textOrNullColumn(row, "payload");
		const carried = payload === null ? undefined : { ...about, payload: portablePayload(self, payload) };
		bytes += carried === undefined ? 0 : bytesOf(carried);
		if (carried !== undefined && bytes <= MAX_ROW_BYTES) {
			rows.push(carried);
			continue;
		}
		rows.push({ ...about, payload: JSON.stringify({ kind: "text", text: leftBehind, entities: [] }) });
		break;
	}
	return rows;
}

const conversationOf = (self: string, id: string | null) => (id === null ? null : everywhereId(self, id));

/** Without its buttons: what they mean is known on the host that made them. */
function portablePayload(self: string, payload: string): string {
	const outgoing = parseOutgoing(payload);
	const shows = outgoing.shows && { ...outgoing.shows, conversationId: everywhereId(self, outgoing.shows.conversationId) };
	return JSON.stringify({ ...outgoing, keyboard: undefined, shows });
}

/** All of the bot that the next holder must know. */
export function readBot(sql: SqlDatabase, botId: number, { self, fence }: { self: string; fence: number }): BotEntry {
	const all = (text: string, ...values: number[]) => sql.prepare(text).all(...values);
	return fitting({
		...{ fence, host: self },
		people: all("SELECT user_id, name, paired_at FROM telegram_people ORDER BY paired_at DESC LIMIT ?", MAX_PEOPLE).map((row) => ({
			userId: numberColumn(row, "user_id"),
			name: textColumn(row, "name").slice(0, 100),
			pairedAt: numberColumn(row, "paired_at"),
		})),
		notes: all(
			"SELECT key, value FROM telegram_state WHERE (key LIKE 'agent:%' OR key LIKE 'moved-to:%') AND length(key) <= 100 AND length(value) <= 200 LIMIT ?",
			MAX_NOTES,
		).map((row) => ({ key: textColumn(row, "key"), value: textColumn(row, "value") })),
		chats: all(
			`SELECT chat_id FROM (
				SELECT chat_id, max(last_used) AS used FROM telegram_chats GROUP BY chat_id
				UNION ALL SELECT chat_id, max(created_at) AS used FROM telegram_outbox WHERE state IN ('pending', 'sending') GROUP BY chat_id
			) GROUP BY chat_id ORDER BY max(used) DESC LIMIT ?`,
			MAX_CHATS,
		).map((row) => numberColumn(row, "chat_id")),
		handled: all(
			"SELECT update_id FROM telegram_inbox WHERE bot_id = ? AND state = 'done' ORDER BY position DESC LIMIT ?",
			botId,
			MAX_HANDLED,
		).map((row) => numberColumn(row, "update_id")),
	});
}
