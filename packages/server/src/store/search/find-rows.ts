import type { SqlDatabase, SqlRow, SqlValue } from "../../core/ports/sql.ts";
import { toStorageError } from "../sqlite/sql-errors.ts";
import type { SqlThread } from "../sqlite/sql-thread.ts";
import { createSnippets } from "./search-snippet.ts";
import { type SearchPhrase, UNSPACED } from "./search-text.ts";

/** One step of a search. */
export interface FindRequest {
	/** Gives rows with a column `key`. */
	sql: string;
	values: SqlValue[];
	/** Gives the text of a key as `content`; the snippet is cut out of it, and whatever is gone meanwhile is no result. */
	textSql: string;
	phrases: readonly SearchPhrase[];
	/** No further text is read after this time. */
	budgetMs: number;
}
export type FindRows = (request: FindRequest) => Promise<SqlRow[]>;

/** Searches on a thread of its own, which `FIND_TASK` belongs to. Damage that it meets is told like damage met here. */
export function findOnThread(thread: Pick<SqlThread, "run">, fault: (error: unknown) => void): FindRows {
	return (request) =>
		thread.run("find", request).catch((error: unknown) => {
			fault(error);
			throw toStorageError(error);
		});
}

/** Searches where the caller is: for a database in memory, which no other thread can see. */
export function findHere(sql: Pick<SqlDatabase, "prepare">): FindRows {
	const { snippetAround } = createSnippets(UNSPACED);
	return async ({ sql: text, values, textSql, phrases }) =>
		sql
			.prepare(text)
			.all(...values)
			.map((row) => ({ ...row, snippet: snippetAround(String(sql.prepare(textSql).get(row.key ?? null)?.content ?? ""), phrases) }));
}

// `__name`: a loader that runs the sources (tsx, in `npm run dev` and the benchmarks) puts calls of it into the text of every function.
// One text at a time, so that fifty long messages are never in memory together. Not with an iterator: one that fails keeps its read transaction.
export const FIND_TASK = `
const snippets = ((__name) => (${String(createSnippets)})(${JSON.stringify(UNSPACED)}))((value) => value);
tasks.find = ({ sql, values, textSql, phrases, budgetMs }) => {
	const end = performance.now() + budgetMs;
	const found = [];
	for (const row of prepare(sql).all(...values)) {
		const text = prepare(textSql).get(row.key);
		if (text !== undefined) found.push({ ...row, snippet: snippets.snippetAround(text.content, phrases) });
		if (performance.now() > end) break;
	}
	return found;
};
`;
