import { mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { epoch, type IdSource } from "../core/ids.ts";
import type { Logger } from "../core/logger.ts";
import type { SqlDatabase } from "../core/ports/sql.ts";
import type { Store } from "../core/ports/store.ts";
import { backUpBeforeUpgrade } from "./backup-before-upgrade.ts";
import { type Backups, createBackups } from "./backups.ts";
import { createContinuity } from "./continuity.ts";
import { createStore } from "./create-store.ts";
import { migrate, pendingMigrations } from "./migrate.ts";
import { allMigrations } from "./migrations/all-migrations.ts";
import type { Migration } from "./migrations/migration.ts";
import { openConnection } from "./open-connection.ts";
import { recoverDatabase } from "./recover-database.ts";
import { createSqlDatabase } from "./sql-database.ts";
import { loadSqlite } from "./sqlite-loader.ts";
import { createHealthMonitor, type StorageHealth } from "./storage-health.ts";
import { acquireStorageLock, type StorageLock } from "./storage-lock.ts";

export interface OpenStoreOptions {
	/** The database file, or ":memory:". */
	path: string;
	clock: Clock;
	logger: Logger;
	ids: IdSource;
	/** Default: `backups` beside the database. */
	backupsDirectory?: string;
	/** For tests: other migrations, another boot of the machine. */
	migrations?: readonly Migration[];
	bootId?: string;
}

export interface OpenedStore {
	store: Store;
	/** The connection itself, for parts that keep tables of their own. */
	sql: SqlDatabase;
	health(): StorageHealth;
	/** Called on every change of health; the result ends that. */
	onHealth(listener: (health: StorageHealth) => void): () => void;
	/** The last run of the server ended in order, or there was none. */
	wasClean: boolean;
	/** Makes a verified backup and resolves with its path. */
	backupNow(): Promise<string>;
	/** One backup a day from here on. */
	startBackups(): void;
	/** Marks the stop as clean, folds the -wal into the database and lets go of the lock. */
	close(): Promise<void>;
}

/**
 * Opens the database of one server: lock, integrity, schema, continuity. Throws with a sentence for people when another server
 * has it, when a newer version wrote it, or when it cannot be written.
 */
export function openStore(options: OpenStoreOptions): OpenedStore {
	const engine = loadSqlite();
	if (options.path === ":memory:") return open(options, { engine, path: ":memory:" });
	const path = resolve(options.path);
	mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
	const lock = acquireStorageLock(engine, path);
	try {
		return open(options, { engine, path, lock });
	} catch (error) {
		lock.release();
		throw error;
	}
}

function open(options: OpenStoreOptions, place: { engine: ReturnType<typeof loadSqlite>; path: string; lock?: StorageLock }): OpenedStore {
	const { clock, logger, ids, migrations = allMigrations } = options;
	const { engine, path, lock } = place;
	const directory = options.backupsDirectory ?? join(dirname(path), "backups");
	const recovery = lock && recoverDatabase({ engine, path, backupsDirectory: directory, now: clock.now(), logger });
	const connection = openConnection(engine, path);
	const health = createHealthMonitor({ clock, logger, probe: connection.probe });
	if (recovery !== undefined) health.set({ recovery });
	const sql = createSqlDatabase(connection.database, logger, health.gate);

	try {
		const { applied, missing } = pendingMigrations(sql, migrations);
		if (lock && applied.length > 0 && missing.length > 0) backUpBeforeUpgrade({ engine, sql, directory, now: clock.now() });
		migrate(sql, missing, clock.now());
		const store = createStore({ sql, clock, ids });
		const continuity = createContinuity(sql, options.bootId);
		startRun(() => {
			if (continuity.isUncertain || recovery !== undefined) store.conversations.replaceEpochs(() => epoch(ids.next()));
			continuity.markRunning();
		}, logger);

		const backups = lock && createBackups({ engine, path, directory, clock, logger, health });
		return {
			store,
			sql,
			health: health.current,
			onHealth: health.listen,
			wasClean: continuity.wasClean,
			backupNow: () => backups?.now() ?? Promise.reject(new Error("A database in memory has no backups.")),
			startBackups: () => backups?.start(),
			close: () => closeStore({ backups, health, connection, lock, markClean: continuity.markClean, logger }),
		};
	} catch (error) {
		health.close();
		connection.close();
		throw error;
	}
}

/** With a full disk the server still starts, to show what it has. */
function startRun(work: () => void, logger: Logger) {
	try {
		work();
	} catch (error) {
		if (!(error instanceof AppError && error.code === "storage-read-only")) throw error;
		logger.error({ error }, "The storage cannot be written; starting read-only.");
	}
}

async function closeStore(parts: {
	backups: Backups | undefined;
	health: ReturnType<typeof createHealthMonitor>;
	connection: ReturnType<typeof openConnection>;
	lock: StorageLock | undefined;
	markClean: () => void;
	logger: Logger;
}) {
	if (!parts.connection.database.isOpen) return;
	await parts.backups?.close();
	startRun(parts.markClean, parts.logger);
	parts.health.close();
	parts.connection.close();
	parts.lock?.release();
}
