import type { InlineKeyboardButton, MessageEntity } from "grammy/types";
import * as z from "zod/mini";
import type { Clock } from "../../core/clock.ts";
import type { SqlDatabase, SqlRow } from "../../core/ports/sql.ts";
import type { Place } from "./place.ts";
import { numberOf, numberOrUndefined, textOf } from "./row.ts";

/** Messages that may wait for one chat; beyond it the oldest are given up. */
export const MAX_WAITING_PER_CHAT = 500;
const KEPT_ROWS = 2_000;

const common = { replyTo: z.optional(z.number()), silent: z.optional(z.boolean()) };
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

export type RowState = "pending" | "sending" | "sent" | "unknown" | "dead";
export interface OutboxRow {
	id: number;
	place: Place;
	outgoing: Outgoing;
}

export interface OutboxStore {
	/** Undefined when a message with this key is known already. */
	add(place: Place, outgoing: Outgoing, key: string | undefined): OutboxRow | undefined;
	find(id: number): OutboxRow | undefined;
	setState(id: number, state: RowState, messageId?: number): void;
	replace(id: number, place: Place, outgoing: Outgoing): void;
	/** Makes a message in doubt wait again, once; false if it is not in doubt. */
	retry(id: number): boolean;
	pending(): OutboxRow[];
	/** Messages that were on their way when the process ended: nobody knows whether they arrived. */
	settleInterrupted(): OutboxRow[];
	moveChat(from: number, to: number): void;
	/** Gives up the oldest beyond the bound; says how many. */
	trim(chatId: number): number;
}

export function createOutboxStore(sql: SqlDatabase, clock: Clock): OutboxStore {
	const select = "SELECT id, chat_id, thread_id, payload FROM telegram_outbox";
	const add = sql.prepare(
		`INSERT INTO telegram_outbox (dedupe_key, chat_id, thread_id, state, payload, created_at)
		 VALUES (?, ?, ?, 'pending', ?, ?) ON CONFLICT (dedupe_key) DO NOTHING RETURNING id`,
	);
	const update = sql.prepare("UPDATE telegram_outbox SET state = ?, message_id = ? WHERE id = ?");
	const forgetOld = sql.prepare(
		`DELETE FROM telegram_outbox WHERE state IN ('sent', 'dead', 'unknown') AND id <= (SELECT max(id) FROM telegram_outbox) - ${KEPT_ROWS}`,
	);

	return {
		add(place, outgoing, key) {
			const row = add.get(key ?? null, place.chatId, place.threadId ?? null, JSON.stringify(outgoing), clock.now());
			if (row === undefined) return undefined;
			forgetOld.run();
			return { id: numberOf(row, "id"), place, outgoing };
		},
		find: (id) => {
			const row = sql.prepare(`${select} WHERE id = ?`).get(id);
			return row === undefined ? undefined : toRow(row);
		},
		setState: (id, state, messageId) => {
			update.run(state, messageId ?? null, id);
		},
		replace: (id, place, outgoing) => {
			sql
				.prepare("UPDATE telegram_outbox SET chat_id = ?, thread_id = ?, payload = ? WHERE id = ?")
				.run(place.chatId, place.threadId ?? null, JSON.stringify(outgoing), id);
		},
		retry: (id) => sql.prepare("UPDATE telegram_outbox SET state = 'pending' WHERE id = ? AND state = 'unknown'").run(id).changes > 0,
		pending: () => sql.prepare(`${select} WHERE state = 'pending' ORDER BY id`).all().map(toRow),
		settleInterrupted: () =>
			sql.transaction(() => {
				const rows = sql.prepare(`${select} WHERE state = 'sending' ORDER BY id`).all().map(toRow);
				sql.prepare("UPDATE telegram_outbox SET state = 'unknown' WHERE state = 'sending'").run();
				return rows;
			}),
		moveChat: (from, to) => {
			sql.prepare("UPDATE telegram_outbox SET chat_id = ? WHERE chat_id = ?").run(to, from);
		},
		trim: (chatId) =>
			sql
				.prepare(
					`UPDATE telegram_outbox SET state = 'dead' WHERE id IN (
						SELECT id FROM telegram_outbox WHERE chat_id = ? AND state = 'pending' ORDER BY id DESC LIMIT -1 OFFSET ${MAX_WAITING_PER_CHAT}
					)`,
				)
				.run(chatId).changes,
	};
}

function toRow(row: SqlRow): OutboxRow {
	const threadId = numberOrUndefined(row, "thread_id");
	return {
		id: numberOf(row, "id"),
		place: { chatId: numberOf(row, "chat_id"), ...(threadId !== undefined && { threadId }) },
		outgoing: outgoingSchema.parse(JSON.parse(textOf(row, "payload"))),
	};
}
