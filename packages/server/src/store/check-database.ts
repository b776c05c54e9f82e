import { pathToFileURL } from "node:url";
import { sqlFault } from "./sql-errors.ts";
import type { NativeDatabase, SqliteEngine } from "./sqlite-loader.ts";

/** Checking takes about a second per 150 MB; a database larger than this is checked after the start, if it was closed in order. */
export const LARGE_DATABASE_BYTES = 128 * 1024 * 1024;

/**
 * Whether a database file is sound. Opens it for reading only: a writing connection would, on closing, copy a -wal that may
 * belong to another file into this one. Damage in the search index does not count, as the index is built again when it is met.
 */
export function isSound(engine: SqliteEngine, path: string): boolean {
	const found = readSafely(engine, path, (database) => database.prepare("PRAGMA quick_check").all());
	return found?.every((row) => row.quick_check === "ok" || /fts5/i.test(String(row.quick_check))) ?? false;
}

/** How the last server left the database, by the file alone, without its -wal; undefined when that cannot be read. */
export function readShutdown(engine: SqliteEngine, path: string): string | undefined {
	const value = readSafely(engine, `${pathToFileURL(path).href}?immutable=1`, (database) => {
		const hasMeta = database.prepare("SELECT 1 AS found FROM sqlite_schema WHERE name = 'meta'").get() !== undefined;
		return hasMeta ? database.prepare("SELECT value FROM meta WHERE key = 'shutdown'").get()?.value : undefined;
	});
	return typeof value === "string" ? value : undefined;
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
