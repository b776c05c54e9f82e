export type SqlValue = string | number | bigint | null | Uint8Array;
export type SqlRow = Record<string, SqlValue>;

/** A synchronous SQL database. Synchronous on purpose: a transaction cannot be awaited into pieces. */
export interface SqlDatabase {
	/** Prepares once and caches by text. */
	prepare(sql: string): SqlStatement;
	exec(sql: string): void;
	/** Commits when `work` returns, rolls back when it throws; inside another transaction it simply joins that one. */
	transaction<T>(work: () => T extends Promise<unknown> ? never : T): T;
	/** Runs after the outermost transaction committed, or at once outside one; dropped on rollback. */
	afterCommit(run: () => void): void;
}

export interface SqlStatement {
	run(...values: SqlValue[]): { changes: number };
	get(...values: SqlValue[]): SqlRow | undefined;
	all(...values: SqlValue[]): SqlRow[];
}
