import type { AppError } from "../kernel/errors.ts";

/** What SQLite stores. */
export type SqlValue = string | number | bigint | null | Uint8Array;
/** Columns by name. */
export type SqlRow = Record<string, SqlValue>;

/** A synchronous SQL database. Synchronous on purpose: a transaction cannot be awaited into pieces. */
export interface SqlDatabase {
	/** Prepares once and caches by text. */
	prepare(sql: string): SqlStatement;
	exec(sql: string): void;
	/** Commits when `work` returns, rolls back when it throws; inside another transaction it simply joins that one. */
	transaction<T>(work: () => T extends Promise<unknown> ? never : T): T;
	/**
	 * Runs when everything committed so far, the transaction around this call included, survives a power cut: at once when it does
	 * already. In the order of the calls; dropped on rollback. Whatever leaves the process goes through here or waits for `durable`.
	 * When a sync has failed, before or while it waits, `lost` runs instead.
	 */
	afterCommit(run: () => void, lost?: (error: AppError) => void): void;
	/** Resolves when everything committed so far survives a power cut; rejects when the disk failed. Await it before a write is answered. */
	durable(): Promise<void>;
	/** A sync has failed: nothing is promised any more of what was committed since the last good one, until the next start. */
	hasFailed(): boolean;
}

/** Prepared once, run with other values; throws an AppError when the disk refuses. */
export interface SqlStatement {
	run(...values: SqlValue[]): { changes: number };
	get(...values: SqlValue[]): SqlRow | undefined;
	all(...values: SqlValue[]): SqlRow[];
}
