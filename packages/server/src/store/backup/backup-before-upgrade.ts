import { AppError } from "../../core/kernel/errors.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import { isIntact } from "../health/check-database.ts";
import { preparePrivateFile, publishFile } from "../health/storage-files.ts";
import type { SqliteEngine } from "../sqlite/sqlite-loader.ts";
import { backupPath, markAsBackup, pruneBackups } from "./backup-files.ts";

/** A verified copy of the database as the older version left it; an upgrade without one could not be taken back. */
export function backUpBeforeUpgrade(deps: { engine: SqliteEngine; sql: SqlDatabase; directory: string; now: number }): string {
	const target = backupPath(deps.directory, deps.now, "before-upgrade");
	const temporary = `${target}.partial`;
	preparePrivateFile(temporary);
	deps.sql.prepare("VACUUM INTO ?").run(temporary);
	markAsBackup(deps.engine, temporary);
	if (!isIntact(deps.engine, temporary))
		throw new AppError("storage-unusable", "The backup before the upgrade is not sound. Check the disk, then start again.");
	publishFile(temporary, target);
	pruneBackups(deps.directory);
	return target;
}
