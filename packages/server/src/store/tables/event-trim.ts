import { type ConversationId, conversationId as toConversationId } from "../../core/kernel/ids.ts";
import type { SqlRow, SqlValue } from "../../core/ports/sql.ts";
import type { EventsToKeep } from "../../core/ports/store.ts";

/** Events removed in one transaction: a few milliseconds, in which the main thread's next write has to wait. */
export const TRIM_STEP = 100;

/** Runs one statement: on the second thread, or for a database in memory at once. */
export type RunSql = (sql: string, ...values: SqlValue[]) => Promise<SqlRow[]>;

/** Removes from a conversation's log what can never be replayed, step by step. */
export async function trimEvents(run: RunSql, id: ConversationId, keep: EventsToKeep): Promise<void> {
	const end = Math.min(await keptFrom(run, id, keep), keep.from ?? Number.MAX_SAFE_INTEGER);
	const spared = keep.outputOf
		.map(() => 'AND NOT (frame GLOB \'{"type":"bash:output"*\' AND instr(substr(frame, 1, 600), ?) > 0)')
		.join(" ");
	const remove = `DELETE FROM events WHERE conversation_id = ? AND seq >= ? AND seq < ? ${spared}`;
	for (let from = 0; ; ) {
		const [last] = await run(
			`SELECT max(seq) AS seq, count(*) AS count FROM
				(SELECT seq FROM events WHERE conversation_id = ? AND seq >= ? AND seq < ? ORDER BY seq LIMIT ${TRIM_STEP})`,
			...[id, from, end],
		);
		if (last === undefined || Number(last.count) === 0) return;
		const next = Number(last.seq) + 1;
		await run(remove, id, from, next, ...keep.outputOf.map((execId) => `"execId":"${execId}"`));
		from = next;
	}
}

/** The first event of the newest that are within both bounds. */
async function keptFrom(run: RunSql, id: ConversationId, keep: EventsToKeep): Promise<number> {
	const newest = await run(
		"SELECT seq, octet_length(frame) AS bytes FROM events WHERE conversation_id = ? ORDER BY seq DESC LIMIT ?",
		...[id, keep.events + 1],
	);
	let bytes = 0;
	let kept = 0;
	for (const row of newest) {
		bytes += Number(row.bytes);
		if (kept >= keep.events || bytes > keep.bytes) return Number(row.seq) + 1;
		kept += 1;
	}
	return 0;
}

/** Conversations with events in which nothing has happened since. */
export async function quietConversations(run: RunSql, before: number, limit: number): Promise<ConversationId[]> {
	const rows = await run(
		`SELECT id FROM conversations WHERE updated_at < ?
			AND EXISTS (SELECT 1 FROM events WHERE conversation_id = conversations.id) ORDER BY updated_at LIMIT ?`,
		...[before, limit],
	);
	return rows.map((row) => toConversationId(String(row.id)));
}
