import type { Cancel, Clock } from "../../core/kernel/clock.ts";
import type { ConversationId } from "../../core/kernel/ids.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import type { SearchIndex } from "../search/search-index.ts";
import type { Connection } from "../sqlite/open-connection.ts";
import { sqlFault } from "../sqlite/sql-errors.ts";
import type { SqlThread } from "../sqlite/sql-thread.ts";
import { createRemovalSteps, REMOVAL_BYTES, REMOVAL_ROWS } from "./removal-steps.ts";

/** After a step that failed, for whatever reason, it is tried again this much later. */
export const REMOVAL_RETRY_MS = 60_000;

/** Deletes conversations of any size without holding up who asks. */
export interface ConversationRemoval {
	/** From here on it is not there for anybody; a large one is emptied in the background. False if it did not exist. */
	delete(id: ConversationId): boolean;
	/** Goes on with what an earlier run left. */
	start(): void;
	close(): void;
}

export function createConversationRemoval(deps: {
	sql: SqlDatabase;
	index: Pick<SearchIndex, "forgetConversation" | "forgetTitle" | "repair">;
	/** Undefined for a database in memory, which no other thread can see. */
	thread: Pick<SqlThread, "run"> | undefined;
	withoutForeignKeys: Connection["withoutForeignKeys"];
	clock: Clock;
	logger: Logger;
}): ConversationRemoval {
	const { sql, index, thread, clock, logger } = deps;
	const steps = createRemovalSteps(sql.prepare, { rows: REMOVAL_ROWS, bytes: REMOVAL_BYTES });
	const step = thread === undefined ? async () => sql.transaction(() => steps.remove()) : () => thread.run("removeDeleted", undefined);
	let closed = false;
	let wanted = false;
	let isRunning = false;
	let cancel: Cancel = () => undefined;

	function deleteSmall(id: ConversationId): boolean {
		index.forgetConversation(id);
		return sql.prepare("DELETE FROM conversations WHERE id = ?").run(id).changes > 0;
	}
	/** What a start looks at goes at once: nothing of a deleted conversation may be recovered. */
	function entomb(id: ConversationId): boolean {
		index.forgetTitle(id);
		sql.prepare("UPDATE attachments SET conversation_id = NULL WHERE conversation_id = ?").run(id);
		sql.prepare("DELETE FROM open_turns WHERE conversation_id = ?").run(id);
		sql.prepare("DELETE FROM todos WHERE conversation_id = ?").run(id);
		sql.prepare("DELETE FROM inbox_ends WHERE conversation_id = ?").run(id);
		sql.prepare("DELETE FROM commands WHERE conversation_id = ? AND ended_at IS NULL").run(id);
		sql.prepare("INSERT INTO deleted_conversations (id) VALUES (?)").run(id);
		return sql.prepare("DELETE FROM conversations WHERE id = ?").run(id).changes > 0;
	}
	async function removeAll(): Promise<void> {
		try {
			// A conversation that is deleted while the last step says that nothing is left has asked for another one.
			while (wanted && !closed) {
				wanted = false;
				while (!closed && (await step()).length > 0);
			}
		} catch (error) {
			if (closed) return;
			logger.warn({ err: error }, "What belonged to a deleted conversation could not be removed yet");
			if (sqlFault(error) === "index") index.repair(error);
			cancel = clock.after(REMOVAL_RETRY_MS, wake);
		} finally {
			isRunning = false;
		}
	}
	function wake(): void {
		cancel();
		wanted = true;
		if (isRunning || closed) return;
		isRunning = true;
		void removeAll();
	}
	const isLeft = () => sql.prepare("SELECT 1 AS found FROM deleted_conversations LIMIT 1").get() !== undefined;

	return {
		delete(id) {
			if (steps.isSmall(id)) return sql.transaction(() => deleteSmall(id));
			const isDeleted = deps.withoutForeignKeys(() => sql.transaction(() => entomb(id)));
			sql.afterCommit(wake);
			return isDeleted;
		},
		start() {
			if (isLeft()) wake();
		},
		close() {
			closed = true;
			cancel();
		},
	};
}
