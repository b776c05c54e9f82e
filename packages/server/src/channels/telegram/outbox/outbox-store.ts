import type { InlineKeyboardButton, MessageEntity } from "grammy/types";
import * as z from "zod/mini";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { SqlDatabase, SqlRow } from "../../../core/ports/sql.ts";
import { numberColumn, numberOrNullColumn, textColumn } from "../../../core/ports/sql-row.ts";
import type { ChatThread } from "../chats/chat-thread.ts";

/** Messages, and bytes of them, that may wait for one chat; beyond it the oldest are given up. */
export const MAX_WAITING_PER_CHAT = 500;
export const MAX_WAITING_BYTES_PER_CHAT = 32 * 1024 * 1024;
const KEPT_ROWS = 2_000;

/** The key of the notice that a message is in doubt. */
export const noticeKey = (rowId: number) => `${NOTICE}${rowId}`;
const NOTICE = "in-doubt:";

const common = {
	replyTo: z.optional(z.number()),
	silent: z.optional(z.boolean()),
	/** Tells nothing of any conversation: goes out to a chat that may not read, too. */
	toAnyone: z.optional(z.literal(true)),
	/** With it the person has this answer before their eyes. */
	shows: z.optional(z.object({ conversationId: z.string(), messageId: z.string() })),
};
const outgoingSchema = z.discriminatedUnion("kind", [
	z.object({
		kind: z.literal("text"),
		text: z.string(),
		entities: z.array(z.custom<MessageEntity>((value) => typeof value === "object" && value !== null)),
		keyboard: z.optional(z.array(z.array(z.custom<InlineKeyboardButton>((value) => typeof value === "object" && value !== null)))),
		...common,
	}),
	z.object({ kind: z.literal("document"), filename: z.string(), content: z.string(), caption: z.optional(z.string()), ...common }),
]);
/** A message that must arrive. */
export type Outgoing = z.infer<typeof outgoingSchema>;

/** A message as it lies on disk. Throws when it is none. */
export const parseOutgoing = (payload: string): Outgoing => outgoingSchema.parse(JSON.parse(payload));

export type RowState = "pending" | "sending" | "sent" | "unknown" | "dead";
export interface OutboxRow {
	id: number;
	thread: ChatThread;
	outgoing: Outgoing;
}

export interface OutboxStore {
	/** The id of the row; undefined when a message with this key is known already. */
	add(thread: ChatThread, outgoing: Outgoing, about: { key?: string; conversationId?: string }): number | undefined;
	/** A row that was neither sent nor given up. */
	find(id: number): OutboxRow | undefined;
	/** The row, if it still waits; from now on it counts as on its way. */
	take(id: number): OutboxRow | undefined;
	/** What was sent or given up keeps no content. */
	setState(id: number, state: RowState, messageId?: number): void;
	replace(id: number, thread: ChatThread, outgoing: Outgoing): void;
	/** Makes a message in doubt wait again, once; false if it is not in doubt. */
	retry(id: number): boolean;
	/** Rows that wait, in order; `even` those in doubt. */
	waiting(even?: "in-doubt"): OutboxRow[];
	/** Messages that were on their way when the process ended: nobody knows whether they arrived, which is told in the same step. A notice about such a message waits again instead: twice does no harm. */
	settleInterrupted(tell: (row: OutboxRow) => void): void;
	moveChat(from: number, to: number): void;
	/** Gives up the oldest beyond the bounds; returns which. */
	trim(chatId: number): number[];
	conversationIds(): string[];
	forgetConversation(id: string): void;
}

export function createOutboxStore(sql: SqlDatabase, clock: Clock): OutboxStore {
	const select = "SELECT id, chat_id, thread_id, payload FROM telegram_outbox";
	const add = sql.prepare(
		`INSERT INTO telegram_outbox (dedupe_key, conversation_id, chat_id, thread_id, state, payload, size, created_at)
		 VALUES (?, ?, ?, ?, 'pending', ?, ?, ?) ON CONFLICT (dedupe_key) DO NOTHING RETURNING id`,
	);
	const take = sql.prepare(
		"UPDATE telegram_outbox SET state = 'sending' WHERE id = ? AND state = 'pending' RETURNING id, chat_id, thread_id, payload",
	);
	const update = sql.prepare(
		"UPDATE telegram_outbox SET state = ?1, message_id = ?2, payload = iif(?1 IN ('sent', 'dead'), NULL, payload) WHERE id = ?3",
	);
	const forgetOld = sql.prepare(
		`DELETE FROM telegram_outbox WHERE state IN ('sent', 'dead', 'unknown') AND id <= (SELECT max(id) FROM telegram_outbox) - ${KEPT_ROWS}`,
	);
	const trim = sql.prepare(
		`UPDATE telegram_outbox SET state = 'dead', payload = NULL WHERE id IN (
			SELECT id FROM (
				SELECT id, row_number() OVER newest AS place, sum(size) OVER newest AS bytes
				FROM telegram_outbox WHERE chat_id = ? AND state = 'pending' WINDOW newest AS (ORDER BY id DESC)
			) WHERE place > ${MAX_WAITING_PER_CHAT} OR (place > 1 AND bytes > ${MAX_WAITING_BYTES_PER_CHAT})
		) RETURNING id`,
	);

	return {
		add(thread, outgoing, { key, conversationId }) {
			const payload = JSON.stringify(outgoing);
			const where = [thread.chatId, thread.threadId ?? null];
			const row = add.get(key ?? null, conversationId ?? null, ...where, payload, Buffer.byteLength(payload), clock.now());
			if (row === undefined) return undefined;
			forgetOld.run();
			return numberColumn(row, "id");
		},
		find: (id) => {
			const row = sql.prepare(`${select} WHERE id = ? AND payload IS NOT NULL`).get(id);
			return row === undefined ? undefined : toRow(row);
		},
		take: (id) => {
			const row = take.get(id);
			return row === undefined ? undefined : toRow(row);
		},
		setState: (id, state, messageId) => {
			update.run(state, messageId ?? null, id);
		},
		replace: (id, thread, outgoing) => {
			const payload = JSON.stringify(outgoing);
			sql
				.prepare("UPDATE telegram_outbox SET chat_id = ?, thread_id = ?, payload = ?, size = ? WHERE id = ?")
				.run(thread.chatId, thread.threadId ?? null, payload, Buffer.byteLength(payload), id);
		},
		retry: (id) =>
			sql.transaction(() => {
				// The notice has done its work: if this one is in doubt as well, there must be another.
				sql.prepare("UPDATE telegram_outbox SET dedupe_key = dedupe_key || ':' || id WHERE dedupe_key = ?").run(noticeKey(id));
				return sql.prepare("UPDATE telegram_outbox SET state = 'pending' WHERE id = ? AND state = 'unknown'").run(id).changes > 0;
			}),
		waiting: (even) =>
			sql
				.prepare(`${select} WHERE state = 'pending' OR (state = 'unknown' AND ?) ORDER BY id`)
				.all(even === undefined ? 0 : 1)
				.map(toRow),
		settleInterrupted: (tell) =>
			sql.transaction(() => {
				sql
					.prepare("UPDATE telegram_outbox SET state = 'pending' WHERE state = 'sending' AND substr(dedupe_key, 1, ?) = ?")
					.run(NOTICE.length, NOTICE);
				const rows = sql.prepare(`${select} WHERE state = 'sending' ORDER BY id`).all().map(toRow);
				sql.prepare("UPDATE telegram_outbox SET state = 'unknown' WHERE state = 'sending'").run();
				for (const row of rows) tell(row);
			}),
		moveChat: (from, to) => {
			sql.prepare("UPDATE telegram_outbox SET chat_id = ? WHERE chat_id = ?").run(to, from);
		},
		trim: (chatId) => trim.all(chatId).map((row) => numberColumn(row, "id")),
		conversationIds: () =>
			sql
				.prepare("SELECT DISTINCT conversation_id FROM telegram_outbox WHERE conversation_id IS NOT NULL")
				.all()
				.map((row) => textColumn(row, "conversation_id")),
		forgetConversation: (id) => {
			sql.prepare("DELETE FROM telegram_outbox WHERE conversation_id = ?").run(id);
		},
	};
}

function toRow(row: SqlRow): OutboxRow {
	const threadId = numberOrNullColumn(row, "thread_id") ?? undefined;
	return {
		id: numberColumn(row, "id"),
		thread: { chatId: numberColumn(row, "chat_id"), ...(threadId === undefined ? {} : { threadId }) },
		outgoing: parseOutgoing(textColumn(row, "payload")),
	};
}
