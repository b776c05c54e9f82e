import { splitRemoteId } from "@rightseat/protocol/fleet/ids";
import type { SqlDatabase } from "../../../core/ports/sql.ts";
import { parseOutgoing } from "../outbox/outbox-store.ts";
import type { BotEntry, ChatEntry } from "./shared-entries.ts";

/** The id that a conversation has on this host. */
function hereId(self: string, id: string): string {
	const place = splitRemoteId(id);
	return place?.host === self ? place.conversationId : id;
}

/**
 * Puts what the last holder left in place of what this host knows: from then on it is as if this host had been restarted. What waits here from an earlier
 * time was done by others since.
 */
export function takeEntries(
	sql: SqlDatabase,
	about: { botId: number; self: string; now: number },
	bot: BotEntry,
	chats: ReadonlyMap<number, ChatEntry>,
): void {
	const { botId, now } = about;
	sql.transaction(() => {
		for (const table of ["chats", "outbox", "live", "people"]) sql.prepare(`DELETE FROM telegram_${table}`).run();
		forgetUpdates(sql, botId);
		sql.prepare("DELETE FROM telegram_state WHERE key LIKE 'agent:%' OR key LIKE 'moved-to:%'").run();
		for (const { userId, name, pairedAt } of bot.people)
			sql.prepare("INSERT OR REPLACE INTO telegram_people (user_id, name, paired_at) VALUES (?, ?, ?)").run(userId, name, pairedAt);
		for (const { key, value } of bot.notes)
			if (/^(agent|moved-to):/.test(key)) sql.prepare("INSERT OR REPLACE INTO telegram_state (key, value) VALUES (?, ?)").run(key, value);
		for (const updateId of bot.handled.toReversed())
			sql
				.prepare("INSERT OR IGNORE INTO telegram_inbox (bot_id, update_id, received_at, state, payload) VALUES (?, ?, ?, 'done', NULL)")
				.run(botId, updateId, now);
		for (const [chatId, entry] of chats) takeChat(sql, about, chatId, entry);
	});
}

/** What this host took from Telegram and did not handle is handed out again, and was handled by others. */
export function forgetUpdates(sql: SqlDatabase, botId: number): void {
	sql.prepare("DELETE FROM telegram_inbox WHERE bot_id = ?").run(botId);
	sql.prepare("DELETE FROM telegram_state WHERE key = ?").run(`offset:${botId}`);
}

function takeChat(sql: SqlDatabase, { self, now }: { self: string; now: number }, chatId: number, entry: ChatEntry): void {
	for (const { threadId, conversationId, openTurn, told = null, createdAt, lastUsed } of entry.threads)
		sql
			.prepare(
				"INSERT OR REPLACE INTO telegram_chats (chat_id, thread_id, conversation_id, open_turn, told, created_at, last_used) VALUES (?, ?, ?, ?, ?, ?, ?)",
			)
			.run(chatId, threadId, hereId(self, conversationId), openTurn, told, createdAt, lastUsed);
	if (entry.language !== null)
		sql.prepare("INSERT OR REPLACE INTO telegram_languages (chat_id, language) VALUES (?, ?)").run(chatId, entry.language);
	for (const { messageId, leftover } of entry.live)
		sql.prepare("INSERT OR REPLACE INTO telegram_live (chat_id, message_id, leftover) VALUES (?, ?, ?)").run(chatId, messageId, leftover);
	for (const { messageId, conversationId, promptId } of entry.prompts.toReversed())
		sql
			.prepare(
				"INSERT OR IGNORE INTO telegram_prompts (chat_id, message_id, conversation_id, prompt_id, created_at) VALUES (?, ?, ?, ?, ?)",
			)
			.run(chatId, messageId, hereId(self, conversationId), promptId, now);
	const add = sql.prepare(
		`INSERT INTO telegram_outbox (dedupe_key, conversation_id, chat_id, thread_id, state, payload, size, created_at)
		 VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (dedupe_key) DO NOTHING`,
	);
	for (const key of entry.settled.toReversed()) add.run(key, null, chatId, null, "dead", null, 0, now);
	for (const { key, threadId, conversationId, state, payload } of entry.rows) {
		const local = localPayload(self, payload);
		if (local === undefined) continue;
		const at = conversationId === null ? null : hereId(self, conversationId);
		add.run(key, at, chatId, threadId, state, local, Buffer.byteLength(local), now);
	}
}

/** Undefined when it is no message. */
function localPayload(self: string, payload: string): string | undefined {
	try {
		const outgoing = parseOutgoing(payload);
		const shows = outgoing.shows && { ...outgoing.shows, conversationId: hereId(self, outgoing.shows.conversationId) };
		return JSON.stringify({ ...outgoing, shows });
	} catch {
		return undefined;
	}
}
