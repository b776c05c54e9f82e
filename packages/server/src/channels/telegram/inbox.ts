import type { Update } from "grammy/types";
import * as z from "zod/mini";
import type { Clock } from "../../core/clock.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import { numberOf, textOf } from "./row.ts";

/** Handled updates whose ids are remembered, so that a redelivered one is known. */
export const KEPT_UPDATES = 5_000;
const PRUNE_EVERY = 50;
// After a quiet week Telegram starts again at a random id; an old offset would then confirm updates nobody saw.
const OFFSET_VALID_MS = 6 * 24 * 60 * 60_000;

/** Updates as they were taken from Telegram: on disk before they are confirmed, each handled once. */
export interface Inbox {
	/** Commits the new ones and returns them; `keep` says whether the content may be stored. */
	accept(updates: Update[], keep: (update: Update) => boolean): Update[];
	/** Where the next poll goes on. */
	offset(): number;
	done(updateId: number): void;
	/** Keeps an update until a person decides about it. */
	hold(updateId: number): void;
	/** A held update, to be handled now. */
	takeHeld(updateId: number): Update | undefined;
	/** Taken and not handled: what a crash left behind, in order. */
	pending(): Update[];
}

const updateSchema = z.custom<Update>((value) => typeof value === "object" && value !== null && "update_id" in value);

export function createInbox(deps: { sql: SqlDatabase; botId: number; clock: Clock }): Inbox {
	const { sql, botId, clock } = deps;
	const insert = sql.prepare(
		"INSERT INTO telegram_inbox (bot_id, update_id, received_at, state, payload) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
	);
	const setState = sql.prepare("UPDATE telegram_inbox SET state = ? WHERE bot_id = ? AND update_id = ?");
	const finish = sql.prepare("UPDATE telegram_inbox SET state = 'done', payload = NULL WHERE bot_id = ? AND update_id = ?");
	const prune = sql.prepare(`
		DELETE FROM telegram_inbox WHERE bot_id = ?1 AND state <> 'pending' AND update_id IN (
			SELECT update_id FROM telegram_inbox WHERE bot_id = ?1 ORDER BY received_at DESC, update_id DESC LIMIT -1 OFFSET ${KEPT_UPDATES}
		)`);
	let accepted = 0;
	const read = (payload: string) => updateSchema.parse(JSON.parse(payload));

	return {
		accept: (updates, keep) =>
			sql.transaction(() => {
				const fresh = updates.filter((update) => {
					const kept = keep(update);
					const payload = kept ? JSON.stringify(update) : null;
					return insert.run(botId, update.update_id, clock.now(), kept ? "pending" : "done", payload).changes > 0;
				});
				if (accepted++ % PRUNE_EVERY === 0) prune.run(botId);
				return fresh;
			}),
		offset() {
			const row = sql
				.prepare(
					"SELECT update_id FROM telegram_inbox WHERE bot_id = ? AND received_at > ? ORDER BY received_at DESC, update_id DESC LIMIT 1",
				)
				.get(botId, clock.now() - OFFSET_VALID_MS);
			return row === undefined ? 0 : numberOf(row, "update_id") + 1;
		},
		done: (updateId) => {
			finish.run(botId, updateId);
		},
		hold: (updateId) => {
			setState.run("held", botId, updateId);
		},
		takeHeld(updateId) {
			const row = sql
				.prepare("SELECT payload FROM telegram_inbox WHERE bot_id = ? AND update_id = ? AND state = 'held'")
				.get(botId, updateId);
			if (row === undefined) return undefined;
			setState.run("pending", botId, updateId);
			return read(textOf(row, "payload"));
		},
		pending: () =>
			sql
				.prepare("SELECT payload FROM telegram_inbox WHERE bot_id = ? AND state = 'pending' ORDER BY received_at, update_id")
				.all(botId)
				.map((row) => read(textOf(row, "payload"))),
	};
}
