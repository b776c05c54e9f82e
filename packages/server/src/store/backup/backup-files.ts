import { readdirSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { timeStamp } from "../health/storage-files.ts";
import type { SqliteEngine } from "../sqlite/sqlite-loader.ts";

/** Backups kept; older ones are removed. */
export const MAX_BACKUPS = 7;
/** All backups together; the newest is kept whatever its size. */
const MAX_BACKUP_BYTES = 4 * 1024 ** 3;

const NAME = /^rightseat-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z(-before-upgrade)?\.db$/;

export function backupPath(directory: string, now: number, kind: "daily" | "before-upgrade") {
	return join(directory, `rightseat-${timeStamp(now)}${kind === "before-upgrade" ? "-before-upgrade" : ""}.db`);
}

/** Backups in a directory, newest first. */
export function listBackups(directory: string): string[] {
	if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
	const names = readdirSync(directory).filter((name) => NAME.test(name));
	return names
		.sort()
		.reverse()
		.map((name) => join(directory, name));
}

/** When a backup was made, by its name. */
export function backupTime(path: string): number {
	const [, year, month, day, hour, minute, second, ms] = NAME.exec(basename(path)) ?? [];
	return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
}

/** What exceeds the bounds, by number or by bytes; `coming` is the size of a backup that is about to be the newest. */
export function backupsToRemove(directory: string, { coming, maxBytes = MAX_BACKUP_BYTES }: { coming?: number; maxBytes?: number } = {}) {
	let kept = coming === undefined ? 0 : 1;
	let bytes = coming ?? 0;
	return listBackups(directory).filter((path) => {
		bytes += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
		kept += 1;
		return kept > 1 && (kept > MAX_BACKUPS || bytes > maxBytes);
	});
}

/** Removes what exceeds the bounds, and what an interrupted backup left. */
export function pruneBackups(directory: string) {
	for (const path of backupsToRemove(directory)) rmSync(path, { force: true });
	for (const name of readdirSync(directory)) if (name.endsWith(".partial")) rmSync(join(directory, name), { force: true });
}

/** Lets a copy say that it is one: whoever starts from it gets new epochs, and a -wal that lies beside it is not its own. */
export const MARK_AS_BACKUP = "UPDATE meta SET value = 'backup' WHERE key = 'shutdown'";

export function markAsBackup(engine: SqliteEngine, path: string) {
	const copy = new engine.module.DatabaseSync(path);
	copy.exec(MARK_AS_BACKUP);
	copy.close();
}
