import { mkdirSync, rmSync, statfsSync, statSync } from "node:fs";
import type { Cancel, Clock } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import { type SqliteJob, startSqliteJob } from "../health/integrity-check.ts";
import { databaseFiles, preparePrivateFile } from "../health/storage-files.ts";
import type { HealthMonitor } from "../health/storage-health.ts";
import type { SqliteEngine } from "../sqlite/sqlite-loader.ts";
import { backupPath, backupsToRemove, backupTime, listBackups, pruneBackups } from "./backup-files.ts";

export const BACKUP_INTERVAL_MS = 24 * 60 * 60 * 1000;
/** After a backup that failed. */
export const BACKUP_RETRY_MS = 60 * 60 * 1000;
/** Space that a backup must leave free. */
const RESERVED_BYTES = 32 * 1024 * 1024;

export interface Backups {
	/** Makes one now, verified; resolves with its path. A second call while one runs gets the same one. */
	now(): Promise<string>;
	/** One a day from here on; the first when the newest is a day old. */
	start(): void;
	close(): Promise<void>;
}

export function createBackups(deps: {
	engine: SqliteEngine;
	path: string;
	directory: string;
	clock: Clock;
	logger: Logger;
	health: HealthMonitor;
}): Backups {
	const { engine, path, directory, clock, logger, health } = deps;
	/** The files as they were when the newest backup of this run was begun. */
	let copied: string | undefined;
	let running: Promise<string> | undefined;
	let job: SqliteJob | undefined;
	let cancel: Cancel | undefined;
	let isClosed = false;

	const make = async () => {
		mkdirSync(directory, { recursive: true, mode: 0o700 });
		assertSpace(path, directory);
		const before = stateOf(path);
		const target = backupPath(directory, clock.now(), "daily");
		const temporary = `${target}.partial`;
		try {
			preparePrivateFile(temporary);
			const remove = backupsToRemove(directory, { coming: statSync(path).size });
			job = startSqliteJob(engine, { source: path, copy: { to: temporary, publishAs: target, remove } });
			if (!(await job.done))
				throw new AppError("storage-unusable", "The copy of the database is not sound. Restart Rightseat to have the database checked.");
		} finally {
			for (const file of databaseFiles(temporary)) rmSync(file, { force: true });
		}
		pruneBackups(directory);
		copied = before;
		health.set({ backup: { at: clock.now(), path: target } });
		return target;
	};
	const now = () => {
		running ??= make().finally(() => {
			running = undefined;
		});
		return running;
	};

	const schedule = (delayMs: number) => {
		if (!isClosed) cancel = clock.after(delayMs, runScheduled);
	};
	const runScheduled = () => {
		if (copied !== undefined && copied === stateOf(path) && listBackups(directory).length > 0) {
			schedule(BACKUP_INTERVAL_MS);
			return;
		}
		now().then(
			() => schedule(BACKUP_INTERVAL_MS),
			(error: unknown) => {
				if (isClosed) return;
				logger.error({ err: error }, "The daily backup failed");
				health.set({ backup: { at: clock.now(), error: error instanceof Error ? error.message : "The backup failed." } });
				schedule(BACKUP_RETRY_MS);
			},
		);
	};
	return {
		now,
		start() {
			cancel?.();
			const newest = listBackups(directory)[0];
			const age = newest === undefined ? BACKUP_INTERVAL_MS : clock.now() - backupTime(newest);
			schedule(Math.min(Math.max(0, BACKUP_INTERVAL_MS - age), BACKUP_INTERVAL_MS));
		},
		async close() {
			isClosed = true;
			cancel?.();
			await job?.stop();
		},
	};
}

/** Changes with every write to the database; a checkpoint changes it too, which costs one backup more. */
function stateOf(path: string): string {
	return [path, `${path}-wal`]
		.map((file) => statSync(file, { throwIfNoEntry: false }))
		.map((found) => `${found?.size ?? 0}:${found?.mtimeMs ?? 0}`)
		.join(" ");
}

function assertSpace(path: string, directory: string) {
	const { bavail, bsize } = statfsSync(directory);
	if (bavail * bsize >= statSync(path).size + RESERVED_BYTES) return;
	throw new AppError("storage-unusable", "There is not enough free space on the disk for a backup. Free some space.");
}
