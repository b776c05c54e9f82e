import { pathToFileURL } from "node:url";
import { sqlFault } from "../sqlite/sql-errors.ts";
import type { NativeDatabase, SqliteEngine } from "../sqlite/sqlite-loader.ts";

/** Checking takes about a second per 100 MB; a database larger than this is checked after the start; when the machine went down, one 16 times larger. */
export const LARGE_DATABASE_BYTES = 16 * 1024 * 1024;

/**
 * Whether a database file is sound. Opens it for reading only: a writing connection would, on closing, copy a -wal that may
 * belong to another file into this one. Damage in the search index does not count, as the index is built again when it is met.
 */
export function isIntact(engine: SqliteEngine, path: string): boolean {
	const found = readSafely(engine, path, (database) => database.prepare("PRAGMA quick_check").all());
	return found?.every((row) => row.quick_check === "ok" || /fts5/i.test(String(row.quick_check))) ?? false;
}

export interface LastRun {
	/** See `createContinuity`; undefined when there was none or it cannot be read. */
	shutdown?: unknown;
	bootId?: unknown;
}

/** How the last server left the database, by the file alone, without its -wal. */
export function readLastRun(engine: SqliteEngine, path: string): LastRun {
	const found = readSafely(engine, `${pathToFileURL(path).href}?immutable=1`, (database): LastRun => {
		const hasMeta = database.prepare("SELECT 1 AS found FROM sqlite_schema WHERE name = 'meta'").get() !== undefined;
		const read = (key: string) => database.prepare("SELECT value FROM meta WHERE key = ?").get(key)?.value;
		return hasMeta ? { shutdown: read("shutdown"), bootId: read("boot_id") } : {};
	});
	return found ?? {};
}

function readSafely<T>(engine: SqliteEngine, path: string, read: (database: NativeDatabase) => T): T | undefined {
	const database = new engine.module.DatabaseSync(path, { readOnly: true, timeout: 5_000 });
	try {
		return read(database);
	} catch (error) {
		if (sqlFault(error) === "damaged") return undefined;
		throw error;
	} finally {
		database.close();
	}
}
