import { chmodSync, copyFileSync, existsSync, rmSync, statSync } from "node:fs";
import type { Logger } from "../../core/kernel/logger.ts";
import { listBackups } from "../backup/backup-files.ts";
import type { SqliteEngine } from "../sqlite/sqlite-loader.ts";
import { isIntact, readLastRun } from "./check-database.ts";
import { checkMark, databaseFiles, moveAside, preparePrivateFile, publishFile, timeStamp } from "./storage-files.ts";
import type { StorageRecovery } from "./storage-health.ts";

export interface RecoverOptions {
	engine: SqliteEngine;
	path: string;
	backupsDirectory: string;
	now: number;
	logger: Logger;
	/** See `LARGE_DATABASE_BYTES`. */
	largeBytes: number;
	bootId: string;
}

/**
 * Makes sure that a sound database is at `path` before it is opened. An unsound one is moved aside with its companions, never
 * deleted, and replaced: by itself without its -wal if that alone is sound, else by the newest sound backup, else by nothing.
 * `checkLater`: the check was put off, because it would hold up the start. `saysRunning`: a server that was killed left it, as it is.
 */
export function recoverDatabase(options: RecoverOptions): { recovery?: StorageRecovery; checkLater: boolean; saysRunning?: boolean } {
	const { engine, path } = options;
	const size = existsSync(path) ? statSync(path).size : 0;
	// SQLite deletes a -wal that it finds beside an empty database, and with it the only copy of what is in there.
	const hasWal = existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0;
	if (size === 0 && hasWal) return { recovery: replaceDatabase(options, { isWalSuspect: false }), checkLater: false };
	preparePrivateFile(path);
	if (size === 0) return { checkLater: false };
	const { shutdown, bootId } = readLastRun(engine, path);
	// A server at work has said so in the file itself, so beside a file that says otherwise a -wal is left over from another one.
	const isForeignWal = hasWal && (shutdown === "clean" || shutdown === "backup");
	if (isForeignWal) return { recovery: replaceDatabase(options, { isWalSuspect: true }), checkLater: false };
	// A killed server leaves a sound file; what needs a look before anything is written is a machine that went down.
	const isTrusted = shutdown === "clean" || (shutdown === "running" && bootId === options.bootId);
	const isMarked = existsSync(checkMark(path));
	// A server at work always has one; without it the file is older than what clients have seen.
	const lost = shutdown === "running" && !existsSync(`${path}-wal`) ? { recovery: WITHOUT_WAL } : {};
	const saysRunning = shutdown === "running" && bootId === options.bootId;
	const mostBytes = isTrusted ? options.largeBytes : options.largeBytes * AFTER_POWER_CUT_FACTOR;
	if (size > mostBytes && !isMarked) return { ...lost, checkLater: true, saysRunning };
	const recovery = isIntact(engine, path) ? { ...lost, saysRunning } : { recovery: replaceDatabase(options, { isWalSuspect: hasWal }) };
	rmSync(checkMark(path), { force: true });
	return { ...recovery, checkLater: false };
}

/** After a power cut a start waits for the check of a database this many times larger: seconds, not minutes. */
const AFTER_POWER_CUT_FACTOR = 16;

const WITHOUT_WAL: StorageRecovery = {
	kind: "restored",
	message: "Rightseat was not stopped in order, and the database's write-ahead file (-wal) is gone. The newest changes may be missing.",
	params: { reason: "without-wal" },
	movedTo: [],
};

function replaceDatabase(options: RecoverOptions, { isWalSuspect }: { isWalSuspect: boolean }): StorageRecovery {
	const { engine, path, backupsDirectory, now, logger } = options;
	const movedTo = moveAside(path, `damaged-${timeStamp(now)}`);
	logger.error({ movedTo }, "The database cannot be used as it is and was moved aside");

	const withoutWal = isWalSuspect ? movedTo.slice(0, 1) : [];
	const source = [...withoutWal, ...listBackups(backupsDirectory)].find((candidate) => restore(engine, candidate, path));
	preparePrivateFile(path);
	if (source === undefined) {
		const message = "The database was damaged and there was no backup, so Rightseat started empty. The damaged file was kept.";
		return { kind: "started-empty", message, params: { reason: "empty" }, movedTo };
	}
	logger.warn({ source }, "The database was restored");
	if (withoutWal.includes(source)) {
		const message =
			"The database did not fit its write-ahead file, so Rightseat went on without that file. The newest changes may be missing; both were kept.";
		return { kind: "restored", message, params: { reason: "without-wal" }, movedTo };
	}
	const at = statSync(source).mtime.toISOString();
	const message = `The database was damaged, so Rightseat went back to the backup of ${at}. The damaged file was kept.`;
	return { kind: "restored", message, params: { reason: "backup", at }, movedTo };
}

function restore(engine: SqliteEngine, source: string, path: string) {
	const temporary = `${path}.restoring`;
	rmSync(temporary, { force: true });
	copyFileSync(source, temporary);
	chmodSync(temporary, 0o600);
	const usable = isIntact(engine, temporary);
	for (const file of databaseFiles(temporary).slice(usable ? 1 : 0)) rmSync(file, { force: true });
	if (!usable) return false;
	publishFile(temporary, path);
	return true;
}
