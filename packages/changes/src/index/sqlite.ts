import { createRequire } from "node:module";

export type SqlRow = Record<string, unknown>;
/** The part of `DatabaseSync` that Node's own module and the package share. */
export interface SqlDatabase {
	prepare(sql: string): SqlStatement;
	exec(sql: string): void;
	close(): void;
}
export interface SqlStatement {
	run(...values: unknown[]): { changes: number | bigint };
	get(...values: unknown[]): SqlRow | undefined;
	all(...values: unknown[]): SqlRow[];
}

/** Every SQLite before it can corrupt a database in WAL mode when a checkpoint meets a write. */
const OLDEST_SAFE = 3_051_003;
const PACKAGE = "@photostructure/sqlite";
/** Several threads write to one file; each for a few milliseconds. */
const BUSY_MS = 5_000;

/** Opens a database; throws when it is not one. */
export function openSqlite(path: string): SqlDatabase {
	const database = new (loadEngine().DatabaseSync)(path, { timeout: BUSY_MS });
	try {
		database.exec(PRAGMAS);
		database.exec("BEGIN IMMEDIATE; ROLLBACK");
		return database;
	} catch (error) {
		database.close();
		throw error;
	}
}

function loadEngine(): SqliteModule {
	const [major = 0, minor = 0, patch = 0] = (process.versions.sqlite ?? "0").split(".").map(Number);
	const builtIn = Number.parseInt(process.versions.node, 10) >= 24 && major * 1_000_000 + minor * 1_000 + patch >= OLDEST_SAFE;
	const engine: SqliteModule = createRequire(import.meta.url)(builtIn ? "node:sqlite" : PACKAGE);
	return engine;
}

interface SqliteModule {
	DatabaseSync: new (path: string, options: { timeout: number }) => SqlDatabase;
}

// auto_vacuum: first, because only a file without any page takes it; what retention frees goes back to the disk.
// synchronous: a power cut may take the last commits, never the file; `sync` in the recorder makes the end of a change durable.
// temp_store: names of people's files must not end up in a world-readable temporary directory.
const PRAGMAS = `
	PRAGMA auto_vacuum = INCREMENTAL;
	PRAGMA journal_mode = WAL;
	PRAGMA synchronous = NORMAL;
	PRAGMA trusted_schema = OFF;
	PRAGMA cell_size_check = ON;
	PRAGMA temp_store = MEMORY;
	PRAGMA cache_size = -1500;
	PRAGMA journal_size_limit = ${16 * 1024 * 1024};
`;
