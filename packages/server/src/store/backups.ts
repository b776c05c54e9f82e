import { mkdirSync, statfsSync, statSync } from "node:fs";
import type { Cancel, Clock } from "../core/clock.ts";
import type { Logger } from "../core/logger.ts";
import { backupPath, backupTime, listBackups, pruneBackups } from "./backup-files.ts";
import { createBackupJob } from "./backup-job.ts";
import type { SqliteEngine } from "./sqlite-loader.ts";
import type { HealthMonitor } from "./storage-health.ts";

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
	let running: { done: Promise<string>; stop: () => Promise<number> } | undefined;
	let cancel: Cancel | undefined;
	let isClosed = false;

	const make = async () => {
		mkdirSync(directory, { recursive: true, mode: 0o700 });
		assertSpace(path, directory);
		running = createBackupJob(engine, path, backupPath(directory, clock.now(), "daily"));
		try {
			const made = await running.done;
			pruneBackups(directory);
			health.set({ backup: { at: clock.now(), path: made } });
			return made;
		} finally {
			running = undefined;
		}
	};
	const now = () => running?.done ?? make();

	const schedule = (delayMs: number) => {
		if (!isClosed) cancel = clock.after(Math.min(delayMs, BACKUP_INTERVAL_MS), runScheduled);
	};
	const runScheduled = () => {
		now().then(
			() => schedule(BACKUP_INTERVAL_MS),
			(error: unknown) => {
				if (isClosed) return;
				logger.error({ error }, "The daily backup failed.");
				health.set({ backup: { at: clock.now(), error: error instanceof Error ? error.message : "The backup failed." } });
				schedule(BACKUP_RETRY_MS);
			},
		);
	};
	return {
		now,
		start() {
			const newest = listBackups(directory)[0];
			const age = newest === undefined ? BACKUP_INTERVAL_MS : clock.now() - backupTime(newest);
			schedule(Math.max(0, BACKUP_INTERVAL_MS - age));
		},
		async close() {
			isClosed = true;
			cancel?.();
			await running?.stop();
		},
	};
}

function assertSpace(path: string, directory: string) {
	const { bavail, bsize } = statfsSync(directory);
	if (bavail * bsize >= statSync(path).size + RESERVED_BYTES) return;
	throw new Error("There is not enough free space on the disk for a backup. Free some space.");
}
