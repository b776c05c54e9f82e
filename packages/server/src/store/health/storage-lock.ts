import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { AppError } from "../../core/kernel/errors.ts";
import { sqlFault } from "../sqlite/sql-errors.ts";
import type { SqliteEngine } from "../sqlite/sqlite-loader.ts";

export interface StorageLock {
	release(): void;
}
/** A server that is just stopping gets this long to let go. */
const WAIT_MS = 1_000;

/**
 * Makes this process the only server on a database. The lock is one of the operating system, taken through SQLite on an
 * empty file: it ends with the process whatever killed it, so there is no stale lock to judge. The pid is kept for people only.
 */
export function acquireStorageLock(engine: SqliteEngine, path: string): StorageLock {
	const lockPath = `${path}.lock`;
	const pidPath = `${path}.pid`;
	if (!existsSync(lockPath)) closeSync(openSync(lockPath, "ax", 0o600));
	const connection = new engine.module.DatabaseSync(lockPath, { timeout: WAIT_MS });
	try {
		// Without this SQLite would put a journal beside the file and a killed server would leave it there.
		connection.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
	} catch (error) {
		connection.close();
		if (sqlFault(error) === "busy") throw inUse(path, pidPath);
		throw error;
	}
	noteOwner(pidPath);
	return {
		release() {
			if (!connection.isOpen) return;
			rmSync(pidPath, { force: true });
			connection.close();
		},
	};
}

/** Who holds the lock now, if anybody; the number is empty when it could not be noted. Does not wait. */
export function findLockOwner(engine: SqliteEngine, path: string): { pid: string } | undefined {
	if (!existsSync(`${path}.lock`)) return undefined;
	const connection = new engine.module.DatabaseSync(`${path}.lock`, { timeout: 0 });
	try {
		connection.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE; ROLLBACK");
		return undefined;
	} catch (error) {
		if (sqlFault(error) === "busy") return { pid: readOwner(`${path}.pid`) };
		throw error;
	} finally {
		connection.close();
	}
}

function readOwner(pidPath: string): string {
	return existsSync(pidPath) ? readFileSync(pidPath, "utf8").trim() : "";
}

function noteOwner(pidPath: string) {
	try {
		writeFileSync(pidPath, `${process.pid}\n`, { mode: 0o600 });
	} catch (error) {
		// On a full disk the server still starts, to show what it has.
		if (!(error instanceof Error && "syscall" in error)) throw error;
	}
}

function inUse(path: string, pidPath: string) {
	const pid = readOwner(pidPath);
	const owner = pid === "" ? "" : ` (process ${pid})`;
	return new AppError(
		"storage-busy",
		`Another Rightseat server${owner} is using ${path}. Stop it first, or start this one with another --home.`,
		{ params: { reason: "another-server", path, pid } },
	);
}
