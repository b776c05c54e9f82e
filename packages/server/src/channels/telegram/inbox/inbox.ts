import type { Update } from "grammy/types";
import * as z from "zod/mini";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { SqlDatabase } from "../../../core/ports/sql.ts";
import { numberColumn, textColumn } from "../../../core/ports/sql-row.ts";

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
	/** In one step: of a prompt in pieces none may be left to become another one. */
	done(...updateIds: number[]): void;
	/** Keeps an update until a person decides about it. */
	hold(updateId: number): void;
	/** A held update, to be handled now. */
	takeHeld(updateId: number): Update | undefined;
	/** Taken and not handled: what a crash left behind, in order. */
	pending(): Update[];
}

const updateSchema = z.custom<Update>((value) => typeof value === "object" && value !== null && "update_id" in value);

/** As many may be handed out again without keeping new ones away; beyond it what is not handled yet is confirmed, too. */
const MAX_REPEATED = 90;

/** `onlyHandled`: what is not handled yet is not confirmed, so that another host gets it if this one dies. */
export function createInbox(deps: { sql: SqlDatabase; botId: number; clock: Clock; onlyHandled?: boolean }): Inbox {
	const { sql, botId, clock } = deps;
	const insert = sql.prepare(
		"INSERT INTO telegram_inbox (bot_id, update_id, received_at, state, payload) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
	);
	const setState = sql.prepare("UPDATE telegram_inbox SET state = ? WHERE bot_id = ? AND update_id = ?");
	const finish = sql.prepare("UPDATE telegram_inbox SET state = 'done', payload = NULL WHERE bot_id = ? AND update_id = ?");
	const prune = sql.prepare(`
		DELETE FROM telegram_inbox WHERE bot_id = ?1 AND state <> 'pending' AND position <= (
			SELECT position FROM telegram_inbox WHERE bot_id = ?1 ORDER BY position DESC LIMIT 1 OFFSET ${KEPT_UPDATES}
		)`);
	const highest = createHighest(deps);
	const oldest = sql.prepare(
		"SELECT count(*) AS waiting, coalesce(min(update_id), 0) AS first FROM telegram_inbox WHERE bot_id = ? AND state = 'pending'",
	);
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
				highest.take(updates);
				if (accepted++ % PRUNE_EVERY === 0) prune.run(botId);
				return fresh;
			}),
		offset() {
			const next = (highest.get() ?? -1) + 1;
			const open = deps.onlyHandled === true ? oldest.get(botId) : undefined;
			const isRepeated = open !== undefined && numberColumn(open, "waiting") > 0 && numberColumn(open, "waiting") <= MAX_REPEATED;
			return isRepeated ? Math.min(next, numberColumn(open, "first")) : next;
		},
		done: (...updateIds) =>
			sql.transaction(() => {
				for (const id of updateIds) finish.run(botId, id);
			}),
		hold: (updateId) => {
			setState.run("held", botId, updateId);
		},
		takeHeld(updateId) {
			const row = sql
				.prepare("SELECT payload FROM telegram_inbox WHERE bot_id = ? AND update_id = ? AND state = 'held'")
				.get(botId, updateId);
			if (row === undefined) return undefined;
			setState.run("pending", botId, updateId);
			return read(textColumn(row, "payload"));
		},
		pending: () =>
			sql
				.prepare("SELECT payload FROM telegram_inbox WHERE bot_id = ? AND state = 'pending' ORDER BY position")
				.all(botId)
				.map((row) => read(textColumn(row, "payload"))),
	};
}

interface Highest {
	updateId: number;
	at: number;
	elapsed: number;
}

/**
 * The largest update that we have. Numbers tell the order and clocks do not: one that is set back must not make an old update look like the
 * newest. Time only tells whether a week may have passed, after which Telegram counts from anywhere.
 */
function createHighest({ sql, clock, botId }: { sql: SqlDatabase; clock: Clock; botId: number }) {
	const key = `offset:${botId}`;
	const save = sql.prepare("INSERT OR REPLACE INTO telegram_state (key, value) VALUES (?, ?)");
	const schema = z.object({ updateId: z.number(), at: z.number() });
	let known: Highest | undefined = load();

	function load(): Highest | undefined {
		const row = sql.prepare("SELECT value FROM telegram_state WHERE key = ?").get(key);
		const stored = row === undefined ? undefined : schema.parse(JSON.parse(textColumn(row, "value")));
		// From the future: how old it is cannot be known. Without an offset Telegram repeats what we have, which is known by its number.
		if (stored === undefined || stored.at > clock.now()) return undefined;
		return { ...stored, elapsed: clock.elapsed() };
	}
	function isOld({ at, elapsed }: Highest): boolean {
		// Both: one stands still while the machine sleeps, the other can be set back.
		return clock.now() - at > OFFSET_VALID_MS || clock.elapsed() - elapsed > OFFSET_VALID_MS;
	}
	const valid = () => (known === undefined || isOld(known) ? undefined : known);

	return {
		get: () => valid()?.updateId,
		take(updates: Update[]): void {
			if (updates.length === 0) return;
			const updateId = Math.max(valid()?.updateId ?? 0, ...updates.map((update) => update.update_id));
			const next = { updateId, at: clock.now() };
			save.run(key, JSON.stringify(next));
			sql.afterCommit(() => {
				known = { ...next, elapsed: clock.elapsed() };
			});
		},
	};
}
