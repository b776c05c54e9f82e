import type { Clock } from "../core/clock.ts";
import type { IdSource } from "../core/ids.ts";
import type { Logger } from "../core/logger.ts";
import type { SqlDatabase } from "../core/ports/sql.ts";
import type { Store } from "../core/ports/store.ts";
import { createAttachmentStore } from "./attachment-store.ts";
import { createCommandStore } from "./command-store.ts";
import { createConversationStore } from "./conversation-store.ts";
import type { Durability } from "./durability.ts";
import { createEventStore } from "./event-store.ts";
import type { RunSql } from "./event-trim.ts";
import { createMessageStore } from "./message-store.ts";
import { createSearchIndex } from "./search-index.ts";
import { createSettingsStore } from "./settings-store.ts";
import type { SqlThread } from "./sql-thread.ts";
import { createTurnStore } from "./turn-store.ts";

/** Core's `Store` over a database whose schema is up to date. */
export function createStore(deps: {
	sql: SqlDatabase;
	clock: Clock;
	ids: IdSource;
	logger: Logger;
	durability: Durability;
	thread: Pick<SqlThread, "all"> | undefined;
}): Store {
	const { sql, clock, ids, thread } = deps;
	const background: RunSql = thread?.all ?? (async (text, ...values) => sql.prepare(text).all(...values));
	const index = createSearchIndex(sql, deps.logger);
	return {
		transaction: sql.transaction,
		afterCommit: sql.afterCommit,
		durable: sql.durable,
		disk: { busy: deps.durability.busy, onFree: deps.durability.onFree },
		conversations: createConversationStore(sql, index),
		messages: createMessageStore({ sql, clock, ids, index }),
		events: createEventStore(sql, background),
		turns: createTurnStore(sql),
		commands: createCommandStore(sql),
		attachments: createAttachmentStore(sql),
		settings: createSettingsStore(sql),
	};
}
