import type { Clock } from "../../core/kernel/clock.ts";
import { isoTime } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import { type ConversationId, conversationId, messageId } from "../../core/kernel/ids.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { SqlDatabase, SqlRow } from "../../core/ports/sql.ts";
import { numberColumn, textColumn, textOrNullColumn } from "../../core/ports/sql-row.ts";
import type { SearchResult } from "../../core/ports/store.ts";
import type { FindRows } from "./find-rows.ts";
import { createIndexRepair } from "./index-repair.ts";
import type { IndexBuilder } from "./rebuild-index.ts";
import { indexedText, MAX_INDEXED_CHARS, matchExpression, parseQuery, type SearchPhrase } from "./search-text.ts";

const DEFAULT_SEARCH_LIMIT = 50;
/** Titles found are few and worth more than the oldest messages found, so they have places of their own. */
const MAX_TITLE_RESULTS = 10;
/** Messages looked through in one statement, newest first: a reader that stays would keep the -wal from being folded in. */
const SEARCH_STEP = 500_000;
/** A search that takes longer ends with what it has found. */
export const SEARCH_BUDGET_MS = 2_000;
/** Searches that run or wait; they stand in one line. */
export const MAX_SEARCHES = 32;

/** Full-text index over messages and titles. It keeps no text: rows are named by the keys of their tables. */
export interface SearchIndex {
	setMessage(key: number, content: string): void;
	forgetMessage(key: number): void;
	setTitle(id: ConversationId, title: string): void;
	/** Before the conversation's rows are deleted: its title, or its messages as well. */
	forgetTitle(id: ConversationId): void;
	forgetConversation(id: ConversationId): void;
	/** Another thread met this while it wrote to the index: it is built again. */
	repair(error: unknown): void;
	/** Reads on another thread; `step` is for tests. */
	search(query: string, limit?: number, step?: number): Promise<SearchResult[]>;
}

export function createSearchIndex(deps: {
	sql: SqlDatabase;
	find: FindRows;
	builder: IndexBuilder;
	clock: Clock;
	logger: Logger;
}): SearchIndex {
	const { sql, find, clock, logger } = deps;
	const setMessage = sql.prepare("INSERT OR REPLACE INTO messages_text (rowid, text) VALUES (?, ?)");
	const setTitle = sql.prepare("INSERT OR REPLACE INTO titles_text (rowid, text) SELECT key, ? FROM conversations WHERE id = ?");
	const newestKey = sql.prepare("SELECT max(key) AS key FROM messages");
	let searches = 0;

	const repair = createIndexRepair({ builder: deps.builder, clock, logger });

	async function findAll(phrases: readonly SearchPhrase[], limit: number, step: number): Promise<SearchResult[]> {
		const began = clock.elapsed();
		const left = () => SEARCH_BUDGET_MS - (clock.elapsed() - began);
		const expression = matchExpression(phrases);
		const most = Math.min(limit, MAX_TITLE_RESULTS);
		const titles = await find({ sql: FIND_TITLES, values: [expression, most], textSql: TITLE_TEXT, phrases, budgetMs: left() });
		const messages: SqlRow[] = [];
		const room = limit - titles.length;
		for (let to = Number(newestKey.get()?.key ?? 0); to > 0 && messages.length < room && left() > 0; to -= step) {
			const values = [expression, to - step, to, room - messages.length];
			messages.push(...(await find({ sql: FIND_MESSAGES, values, textSql: MESSAGE_TEXT, phrases, budgetMs: left() })));
		}
		// A title made from the first message says what that message says: one result is enough.
		const found = new Set(messages.map((row) => textColumn(row, "id")));
		return [...titles.filter((row) => !found.has(textOrNullColumn(row, "id") ?? "")), ...messages]
			.sort((one, other) => numberColumn(other, "created_at") - numberColumn(one, "created_at"))
			.map(toResult);
	}

	function forgetTitle(id: ConversationId): void {
		repair.write(() => sql.prepare("DELETE FROM titles_text WHERE rowid = (SELECT key FROM conversations WHERE id = ?)").run(id));
	}

	return {
		setMessage: (key, content) => repair.write(() => setMessage.run(key, indexedText(content))),
		forgetMessage: (key) => repair.write(() => sql.prepare("DELETE FROM messages_text WHERE rowid = ?").run(key)),
		setTitle: (id, title) => repair.write(() => setTitle.run(indexedText(title), id)),
		repair: repair.repair,
		forgetTitle,
		forgetConversation(id) {
			forgetTitle(id);
			repair.write(() =>
				sql.prepare("DELETE FROM messages_text WHERE rowid IN (SELECT key FROM messages WHERE conversation_id = ?)").run(id),
			);
		},
		async search(query, limit = DEFAULT_SEARCH_LIMIT, step = SEARCH_STEP) {
			const phrases = parseQuery(query);
			if (phrases.length === 0) return [];
			if (searches >= MAX_SEARCHES) {
				throw new AppError("storage-busy", "Too many searches wait already. Try again in a moment.", {
					retryable: true,
					params: { reason: "searches" },
				});
			}
			searches += 1;
			try {
				const repairing = repair.whole(SEARCH_BUDGET_MS);
				if (repairing !== undefined) await repairing;
				return await findAll(phrases, limit, step).catch(async (error: unknown) => {
					repair.repair(error);
					await repair.whole(SEARCH_BUDGET_MS);
					return findAll(phrases, limit, step);
				});
			} finally {
				searches -= 1;
			}
		},
	};
}

// Titles are cut for the same reason as texts: nothing long crosses between the threads. What is not indexed cannot be a match.
const MAX_TITLE_CHARS = 500;
const FIND_MESSAGES = `
	SELECT m.key, m.id, m.created_at, c.id AS conversation_id, substr(c.title, 1, ${MAX_TITLE_CHARS}) AS title
	FROM messages_text t JOIN messages m ON m.key = t.rowid JOIN conversations c ON c.id = m.conversation_id
	WHERE messages_text MATCH ? AND t.rowid > ? AND t.rowid <= ? ORDER BY t.rowid DESC LIMIT ?`;
const MESSAGE_TEXT = `SELECT substr(content, 1, ${MAX_INDEXED_CHARS}) AS content FROM messages WHERE key = ?`;
const FIND_TITLES = `
	SELECT c.key, c.id AS conversation_id, substr(c.title, 1, ${MAX_TITLE_CHARS}) AS title, c.created_at,
		(SELECT id FROM messages WHERE conversation_id = c.id ORDER BY position LIMIT 1) AS id
	FROM titles_text t JOIN conversations c ON c.key = t.rowid
	WHERE titles_text MATCH ? ORDER BY t.rowid DESC LIMIT ?`;
const TITLE_TEXT = "SELECT title AS content FROM conversations WHERE key = ?";

function toResult(row: SqlRow): SearchResult {
	return {
		conversationId: conversationId(textColumn(row, "conversation_id")),
		messageId: messageId(textOrNullColumn(row, "id") ?? ""),
		title: textColumn(row, "title"),
		snippet: textColumn(row, "snippet"),
		createdAt: isoTime(numberColumn(row, "created_at")),
	};
}
