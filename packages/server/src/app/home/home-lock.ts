import { join } from "node:path";
import { findLockOwner } from "../../store/health/storage-lock.ts";
import { loadSqlite } from "../../store/sqlite/sqlite-loader.ts";

/**
 * The server that runs with this home directory, if one does. It holds a lock of the operating system on the database, which ends with
 * its process; a file that names a process would outlive a power cut, and its number soon belongs to somebody else.
 */
export function findHomeOwner(home: string): { process: string } | undefined {
	const owner = findLockOwner(loadSqlite(), join(home, "rightseat.db"));
	return owner === undefined ? undefined : { process: owner.pid === "" ? "" : ` (process ${owner.pid})` };
}
