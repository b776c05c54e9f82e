import { copyFileSync, existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { AppError } from "../../core/kernel/errors.ts";
import { isIntact } from "../health/check-database.ts";
import { databaseFiles, moveAside, preparePrivateFile, publishFile, timeStamp } from "../health/storage-files.ts";
import { loadSqlite } from "../sqlite/sqlite-loader.ts";
import { backupPath, markAsBackup } from "./backup-files.ts";

/** A verified copy of a database that no server has open, in its `backups` folder. Throws what the disk says, and leaves no half of it. */
export function backUpStopped(path: string, now: number): string {
	const engine = loadSqlite();
	const target = backupPath(join(dirname(path), "backups"), now, "before-upgrade");
	const temporary = `${target}.partial`;
	try {
		preparePrivateFile(temporary);
		const database = new engine.module.DatabaseSync(path);
		try {
			database.prepare("VACUUM INTO ?").run(temporary);
		} finally {
			database.close();
		}
		markAsBackup(engine, temporary);
		if (!isIntact(engine, temporary)) throw new AppError("storage-unusable", "The backup before the update is not sound. Check the disk.");
		publishFile(temporary, target);
		return target;
	} finally {
		for (const file of databaseFiles(temporary)) rmSync(file, { force: true });
	}
}

/** The names of the steps that made the schema of a database what it is; of one that no server has open. */
export function listSchemaSteps(path: string): string[] {
	if (!existsSync(path)) return [];
	const database = new (loadSqlite().module.DatabaseSync)(path);
	try {
		const hasTable = database.prepare("SELECT 1 AS found FROM sqlite_schema WHERE name = 'migrations'").get() !== undefined;
		return hasTable
			? database
					.prepare("SELECT name FROM migrations ORDER BY name")
					.all()
					.map((row) => String(row.name))
			: [];
	} finally {
		database.close();
	}
}

/** Puts a backup in the place of a database that no server has open. What was there is moved aside, never deleted; gives where it is now. */
export function restoreStopped(path: string, backup: string, now: number): string {
	const temporary = `${path}.restoring`;
	copyFileSync(backup, temporary);
	const [aside = path] = moveAside(path, `replaced-${timeStamp(now)}`);
	publishFile(temporary, path);
	return aside;
}
