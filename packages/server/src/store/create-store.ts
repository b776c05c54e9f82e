import type { Clock } from "../core/kernel/clock.ts";
import type { IdSource } from "../core/kernel/ids.ts";
import type { Logger } from "../core/kernel/logger.ts";
import type { SqlDatabase } from "../core/ports/sql.ts";
import type { Store } from "../core/ports/store.ts";
import { createMessageStore } from "./messages/message-store.ts";
import { findHere, findOnThread } from "./search/find-rows.ts";
import { buildHere, buildOnThread } from "./search/rebuild-index.ts";
import { createSearchIndex } from "./search/search-index.ts";
import type { Durability } from "./sqlite/durability.ts";
import type { Connection } from "./sqlite/open-connection.ts";
import type { SqlThread } from "./sqlite/sql-thread.ts";
import { createAttachmentStore } from "./tables/attachment-store.ts";
import { createCommandStore } from "./tables/command-store.ts";
import { type ConversationRemoval, createConversationRemoval } from "./tables/conversation-removal.ts";
import { createConversationStore } from "./tables/conversation-store.ts";
import { createEventStore } from "./tables/event-store.ts";
import type { RunSql } from "./tables/event-trim.ts";
import { createInboxStore } from "./tables/inbox-store.ts";
import { createPermissionRuleStore } from "./tables/permission-rule-store.ts";
import { createScheduleStore } from "./tables/schedule-store.ts";
import { createSettingsStore } from "./tables/settings-store.ts";
import { createTodoStore } from "./tables/todo-store.ts";
import { createTurnStore } from "./tables/turn-store.ts";
import { createUsageStore } from "./tables/usage-store.ts";

/** Core's `Store` over a database whose schema is up to date, and what empties deleted conversations in the background. */
export function createStore(deps: {
	sql: SqlDatabase;
	clock: Clock;
	ids: IdSource;
	logger: Logger;
	durability: Durability;
	thread: Pick<SqlThread, "all" | "run"> | undefined;
	/** Only reads, so that a long search is in nobody's way. */
	searchThread: Pick<SqlThread, "run"> | undefined;
	withoutForeignKeys: Connection["withoutForeignKeys"];
	/** Where faults of that thread are told. */
	fault(error: unknown): void;
}): { store: Store; removal: ConversationRemoval } {
	const { sql, clock, ids, thread } = deps;
	const { busy, onFree, hasFailed, onFailed } = deps.durability;
	const background: RunSql = thread?.all ?? (async (text, ...values) => sql.prepare(text).all(...values));
	const find = deps.searchThread === undefined ? findHere(sql) : findOnThread(deps.searchThread, deps.fault);
	const builder = thread === undefined ? buildHere(sql) : buildOnThread(sql, thread);
	const index = createSearchIndex({ sql, find, builder, clock, logger: deps.logger });
	const removal = createConversationRemoval({ ...deps, index });
	const store: Store = {
		transaction: sql.transaction,
		afterCommit: sql.afterCommit,
		durable: sql.durable,
		disk: { busy, onFree, hasFailed, onFailed },
		conversations: createConversationStore(sql, index, removal),
		messages: createMessageStore({ sql, clock, ids, index }),
		events: createEventStore(sql, background),
		turns: createTurnStore(sql),
		commands: createCommandStore(sql),
		attachments: createAttachmentStore(sql),
		inbox: createInboxStore(sql),
		settings: createSettingsStore(sql),
		usage: createUsageStore(sql),
		schedules: createScheduleStore(sql),
		permissionRules: createPermissionRuleStore(sql),
		todos: createTodoStore(sql),
	};
	return { store, removal };
}
