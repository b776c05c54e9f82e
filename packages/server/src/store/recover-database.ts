import { chmodSync, copyFileSync, existsSync, rmSync, statSync } from "node:fs";
import type { Logger } from "../core/logger.ts";
import { listBackups } from "./backup-files.ts";
import { isSound } from "./check-database.ts";
import type { SqliteEngine } from "./sqlite-loader.ts";
import { moveAside, preparePrivateFile, publishFile, timeStamp } from "./storage-files.ts";
import type { StorageRecovery } from "./storage-health.ts";

/**
 * Makes sure that a sound database is at `path` before it is opened. An unsound one is moved aside with its companions, never
 * deleted, and replaced: by itself without its -wal if that alone is sound, else by the newest sound backup, else by nothing.
 */
export function recoverDatabase(deps: {
	engine: SqliteEngine;
	path: string;
	backupsDirectory: string;
	now: number;
	logger: Logger;
}): StorageRecovery | undefined {
	const { engine, path, backupsDirectory, now, logger } = deps;
	const isMissing = !existsSync(path) || statSync(path).size === 0;
	// SQLite deletes a -wal that it finds beside an empty database, and with it the only copy of what is in there.
	const hasLoneWal = isMissing && existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0;
	if (!hasLoneWal) {
		preparePrivateFile(path);
		if (isMissing || isSound(engine, path)) return undefined;
	}
	const hadWal = existsSync(`${path}-wal`);
	const movedTo = moveAside(path, `damaged-${timeStamp(now)}`);
	logger.error({ movedTo }, "The database is damaged and was moved aside.");

	const withoutWal = hadWal && !hasLoneWal ? movedTo.slice(0, 1) : [];
	const source = [...withoutWal, ...listBackups(backupsDirectory)].find((candidate) => restore(engine, candidate, path));
	preparePrivateFile(path);
	if (source === undefined) {
		const message = "The database was damaged and there was no backup, so Rightseat started empty. The damaged file was kept.";
		return { kind: "started-empty", message, movedTo };
	}
	logger.warn({ source }, "The database was restored.");
	const message = withoutWal.includes(source)
		? "The database did not fit its write-ahead file, so Rightseat went on without that file. The newest changes may be missing; both were kept."
		: `The database was damaged, so Rightseat went back to the backup of ${statSync(source).mtime.toISOString()}. The damaged file was kept.`;
	return { kind: "restored", message, movedTo };
}

function restore(engine: SqliteEngine, source: string, path: string) {
	const temporary = `${path}.restoring`;
	rmSync(temporary, { force: true });
	copyFileSync(source, temporary);
	chmodSync(temporary, 0o600);
	if (!isSound(engine, temporary)) {
		for (const file of [temporary, `${temporary}-wal`, `${temporary}-shm`]) rmSync(file, { force: true });
		return false;
	}
	for (const file of [`${temporary}-wal`, `${temporary}-shm`]) rmSync(file, { force: true });
	publishFile(temporary, path);
	return true;
}
