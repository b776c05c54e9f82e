import type { SqlStatement } from "../../core/ports/sql.ts";

/** Prepared statements kept by text; our own code has far fewer texts than this. */
export const MAX_CACHED_STATEMENTS = 500;

/** Statements by text; the one unused for longest goes first. */
export function createStatementCache(create: (sql: string) => SqlStatement, limit = MAX_CACHED_STATEMENTS) {
	const cached = new Map<string, SqlStatement>();
	return {
		get(sql: string): SqlStatement {
			const statement = cached.get(sql) ?? create(sql);
			cached.delete(sql);
			cached.set(sql, statement);
			for (const oldest of cached.keys()) {
				if (cached.size <= limit) break;
				cached.delete(oldest);
			}
			return statement;
		},
		get size() {
			return cached.size;
		},
	};
}
