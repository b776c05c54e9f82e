import { sqlFault } from "./sql-errors.ts";
import type { SqliteEngine } from "./sqlite-loader.ts";

/**
 * Whether a database file is sound. Opens it for reading only: a writing connection would, on closing, copy a -wal that may
 * belong to another file into this one.
 */
export function isSound(engine: SqliteEngine, path: string): boolean {
	const connection = new engine.module.DatabaseSync(path, { readOnly: true, timeout: 5_000 });
	try {
		const row = connection.prepare("PRAGMA quick_check(1)").get();
		return row?.quick_check === "ok";
	} catch (error) {
		if (sqlFault(error) === "damaged") return false;
		throw error;
	} finally {
		connection.close();
	}
}
