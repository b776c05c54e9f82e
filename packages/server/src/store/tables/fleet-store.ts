import { conversationId } from "../../core/kernel/ids.ts";
import type { ChainStore, CreatedStore, FleetStore, OutboxStore } from "../../core/ports/fleet-store.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import { numberColumn, textColumn } from "../../core/ports/sql-row.ts";
import { readOwnJson } from "../sqlite/own-json.ts";

/** What other hosts had created here is remembered so long, and so many of it. */
export const CREATED_LIFE_MS = 7 * 24 * 3_600_000;
export const MAX_CREATED = 10_000;

/** Statements are prepared when they are first used: without a fleet none is. */
export function createFleetStore(sql: SqlDatabase): FleetStore {
	return {
		chains: chainStore(sql),
		outbox: outboxStore(sql),
		created: createdStore(sql),
		fences: {
			list: () =>
				new Map(
					sql
						.prepare("SELECT lease, number FROM fleet_fences")
						.all()
						.map((row) => [textColumn(row, "lease"), numberColumn(row, "number")]),
				),
			set: (lease, number) => void sql.prepare("INSERT OR REPLACE INTO fleet_fences VALUES (?, ?)").run(lease, number),
		},
	};
}

const chainStore = (sql: SqlDatabase): ChainStore => ({
	find(id) {
		const row = sql.prepare("SELECT * FROM fleet_chains WHERE conversation_id = ?").get(id);
		if (row === undefined) return undefined;
		return {
			...{ generation: numberColumn(row, "generation"), epoch: textColumn(row, "epoch") },
			...{ seq: numberColumn(row, "seq"), chain: textColumn(row, "chain") },
		};
	},
	set(id, { generation, epoch, seq, chain }) {
		sql.prepare("INSERT OR REPLACE INTO fleet_chains VALUES (?, ?, ?, ?, ?)").run(id, generation, epoch, seq, chain);
	},
	delete: (id) => void sql.prepare("DELETE FROM fleet_chains WHERE conversation_id = ?").run(id),
});

const outboxStore = (sql: SqlDatabase): OutboxStore => ({
	list: () =>
		sql
			.prepare("SELECT entry FROM fleet_outbox ORDER BY n")
			.all()
			.map((row) => readOwnJson(textColumn(row, "entry"))),
	put(entry) {
		sql
			.prepare(
				"INSERT INTO fleet_outbox (client_message_id, entry) VALUES (?, ?) ON CONFLICT (client_message_id) DO UPDATE SET entry = excluded.entry",
			)
			.run(entry.clientMessageId, JSON.stringify(entry));
	},
	delete: (clientMessageId) => void sql.prepare("DELETE FROM fleet_outbox WHERE client_message_id = ?").run(clientMessageId),
});

const createdStore = (sql: SqlDatabase): CreatedStore => ({
	find(key) {
		const row = sql.prepare("SELECT conversation_id FROM fleet_created WHERE key = ?").get(key);
		return row === undefined ? undefined : conversationId(textColumn(row, "conversation_id"));
	},
	add(key, id, now) {
		sql.transaction(() => {
			sql.prepare("DELETE FROM fleet_created WHERE created_at < ?").run(now - CREATED_LIFE_MS);
			sql.prepare("INSERT OR REPLACE INTO fleet_created (key, conversation_id, created_at) VALUES (?, ?, ?)").run(key, id, now);
			sql.prepare("DELETE FROM fleet_created WHERE n <= (SELECT max(n) FROM fleet_created) - ?").run(MAX_CREATED);
		});
	},
});
