import type { SqlDatabase } from "../../core/ports/sql.ts";
import type { SqlThread } from "../sqlite/sql-thread.ts";
import { createIndexedText, MAX_INDEXED_CHARS, UNSPACED } from "./search-text.ts";

/** Builds the index again from the tables, in steps that each leave it usable. */
export interface IndexBuilder {
	/** Was a rebuild cut off? What is in the index until it is finished is right, but not all. */
	isUnfinished(): boolean;
	/** Empties it and fills in the titles. Until then nothing can be written to a damaged one. */
	reset(): Promise<void>;
	/** Adds messages after this key for a few milliseconds; the last one's key, or undefined when there are no more and it is finished. */
	fill(after: number): Promise<number | undefined>;
}

/** On the second thread, which `REBUILD_TASKS` belong to: the texts never come here. */
export function buildOnThread(sql: SqlDatabase, thread: Pick<SqlThread, "run">): IndexBuilder {
	return {
		isUnfinished: () => isUnfinished(sql),
		reset: async () => void (await thread.run("resetIndex", undefined)),
		fill: async (after) => lastKey(await thread.run("fillIndex", after)),
	};
}

/** Where the caller is: for a database in memory, which no other thread can see. */
export function buildHere(sql: SqlDatabase): IndexBuilder {
	const steps = createIndexSteps(sql.prepare, createIndexedText(UNSPACED, MAX_INDEXED_CHARS));
	return {
		isUnfinished: () => isUnfinished(sql),
		reset: async () => sql.transaction(() => steps.reset()),
		fill: async (after) => lastKey(sql.transaction(() => steps.fill(after))),
	};
}

const isUnfinished = (sql: SqlDatabase) => sql.prepare("SELECT 1 AS found FROM meta WHERE key = 'search-index'").get() !== undefined;
const lastKey = (rows: readonly { key?: unknown }[]) => (rows[0] === undefined ? undefined : Number(rows[0].key));

interface Statements {
	run(...values: (string | number)[]): unknown;
	get(...values: (string | number)[]): Record<string, unknown> | undefined;
	all(...values: (string | number)[]): Record<string, unknown>[];
}

/** Also runs as text on the second thread: it must use nothing from outside of its own body. */
function createIndexSteps(prepare: (sql: string) => Statements, indexedText: (text: string) => string) {
	const STEP_MS = 10;
	return {
		reset(): void {
			prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('search-index', 'unfinished')").run();
			for (const table of ["messages_text", "titles_text"]) prepare(`INSERT INTO ${table} (${table}) VALUES ('delete-all')`).run();
			const put = prepare("INSERT INTO titles_text (rowid, text) VALUES (?, ?)");
			for (const { key, title } of prepare("SELECT key, title FROM conversations").all()) put.run(Number(key), indexedText(String(title)));
		},
		fill(after: number): { key: number }[] {
			const next = prepare("SELECT key, content FROM messages WHERE key > ? ORDER BY key LIMIT 1");
			const put = prepare("INSERT OR REPLACE INTO messages_text (rowid, text) VALUES (?, ?)");
			const end = performance.now() + STEP_MS;
			let last = after;
			for (let row = next.get(last); row !== undefined; row = next.get(last)) {
				last = Number(row.key);
				put.run(last, indexedText(String(row.content)));
				if (performance.now() > end) return [{ key: last }];
			}
			prepare("DELETE FROM meta WHERE key = 'search-index'").run();
			return [];
		},
	};
}

// `__name`: see `FIND_TASK`.
export const REBUILD_TASKS = `
const indexSteps = ((__name) => (${String(createIndexSteps)})(prepare, (${String(createIndexedText)})(${JSON.stringify(UNSPACED)}, ${MAX_INDEXED_CHARS})))((value) => value);
tasks.resetIndex = () => writing(() => {
	indexSteps.reset();
	return [];
});
tasks.fillIndex = (after) => writing(() => indexSteps.fill(after));
`;
