import { isoTime } from "../../core/kernel/clock.ts";
import { type ConversationId, conversationId, messageId } from "../../core/kernel/ids.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { SqlDatabase, SqlRow } from "../../core/ports/sql.ts";
import type { SearchResult } from "../../core/ports/store.ts";
import { numberColumn, textColumn, textOrNullColumn } from "../sqlite/columns.ts";
import { sqlFault } from "../sqlite/sql-errors.ts";
import { snippetAround } from "./search-snippet.ts";
import { indexedText, matchExpression, parseQuery, type SearchPhrase } from "./search-text.ts";

export const DEFAULT_SEARCH_LIMIT = 50;
/** Titles found are few and worth more than the oldest messages found, so they have places of their own. */
const MAX_TITLE_RESULTS = 10;

/** Full-text index over messages and titles. It keeps no text: rows are named by the keys of their tables. */
export interface SearchIndex {
	setMessage(key: number, content: string): void;
	forgetMessage(key: number): void;
	setTitle(id: ConversationId, title: string): void;
	/** Before the conversation's rows are deleted. */
	forgetConversation(id: ConversationId): void;
	search(query: string, limit?: number): SearchResult[];
}

export function createSearchIndex(sql: SqlDatabase, logger: Logger): SearchIndex {
	const setMessage = sql.prepare("INSERT OR REPLACE INTO messages_text (rowid, text) VALUES (?, ?)");
	const setTitle = sql.prepare("INSERT OR REPLACE INTO titles_text (rowid, text) SELECT key, ? FROM conversations WHERE id = ?");
	const findMessages = sql.prepare(`
		SELECT m.id, m.content, m.created_at, c.id AS conversation_id, c.title
		FROM messages_text t JOIN messages m ON m.key = t.rowid JOIN conversations c ON c.id = m.conversation_id
		WHERE messages_text MATCH ? ORDER BY t.rowid DESC LIMIT ?`);
	const findTitles = sql.prepare(`
		SELECT c.id AS conversation_id, c.title, c.title AS content, c.created_at,
			(SELECT id FROM messages WHERE conversation_id = c.id ORDER BY position LIMIT 1) AS id
		FROM titles_text t JOIN conversations c ON c.key = t.rowid
		WHERE titles_text MATCH ? ORDER BY t.rowid DESC LIMIT ?`);

	const rebuild = () => {
		for (const table of ["messages_text", "titles_text"]) sql.prepare(`INSERT INTO ${table} (${table}) VALUES ('delete-all')`).run();
		for (const row of sql.prepare("SELECT id, title FROM conversations").all()) {
			setTitle.run(indexedText(textColumn(row, "title")), textColumn(row, "id"));
		}
		const next = sql.prepare("SELECT key, content FROM messages WHERE key > ? ORDER BY key LIMIT 500");
		for (let rows = next.all(0); rows.length > 0; rows = next.all(numberColumn(rows.at(-1) ?? {}, "key"))) {
			for (const row of rows) setMessage.run(numberColumn(row, "key"), indexedText(textColumn(row, "content")));
		}
	};
	// The index can be made again from the tables, so damage in it must not stop messages from being stored or found.
	const repairing = <T>(work: () => T): T => {
		try {
			return work();
		} catch (error) {
			if (sqlFault(error) !== "index") throw error;
			logger.error({ error }, "The search index is damaged and is built again.");
			sql.transaction(rebuild);
			return work();
		}
	};

	return {
		setMessage: (key, content) => repairing(() => setMessage.run(key, indexedText(content))),
		forgetMessage: (key) => repairing(() => sql.prepare("DELETE FROM messages_text WHERE rowid = ?").run(key)),
		setTitle: (id, title) => repairing(() => setTitle.run(indexedText(title), id)),
		forgetConversation(id) {
			repairing(() => sql.prepare("DELETE FROM titles_text WHERE rowid = (SELECT key FROM conversations WHERE id = ?)").run(id));
			repairing(() => sql.prepare("DELETE FROM messages_text WHERE rowid IN (SELECT key FROM messages WHERE conversation_id = ?)").run(id));
		},
		search(query, limit = DEFAULT_SEARCH_LIMIT) {
			const phrases = parseQuery(query);
			if (phrases.length === 0) return [];
			const expression = matchExpression(phrases);
			const titles = repairing(() => findTitles.all(expression, Math.min(limit, MAX_TITLE_RESULTS)));
			const messages = repairing(() => findMessages.all(expression, limit - titles.length));
			// A title made from the first message says what that message says: one result is enough.
			const found = new Set(messages.map((row) => textColumn(row, "id")));
			return [...titles.filter((row) => !found.has(textOrNullColumn(row, "id") ?? "")), ...messages]
				.sort((one, other) => numberColumn(other, "created_at") - numberColumn(one, "created_at"))
				.map((row) => toResult(row, phrases));
		},
	};
}

function toResult(row: SqlRow, phrases: readonly SearchPhrase[]): SearchResult {
	return {
		conversationId: conversationId(textColumn(row, "conversation_id")),
		messageId: messageId(textOrNullColumn(row, "id") ?? ""),
		title: textColumn(row, "title"),
		snippet: snippetAround(textColumn(row, "content"), phrases),
		createdAt: isoTime(numberColumn(row, "created_at")),
	};
}
