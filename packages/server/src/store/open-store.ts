import { mkdirSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Clock } from "../core/kernel/clock.ts";
import { AppError } from "../core/kernel/errors.ts";
import { epoch, type IdSource } from "../core/kernel/ids.ts";
import type { Logger } from "../core/kernel/logger.ts";
import type { Lifecycle } from "../core/ports/lifecycle.ts";
import type { SqlDatabase } from "../core/ports/sql.ts";
import type { Store } from "../core/ports/store.ts";
import { backUpBeforeUpgrade } from "./backup/backup-before-upgrade.ts";
import { type Backups, createBackups } from "./backup/backups.ts";
import { createStore } from "./create-store.ts";
import { LARGE_DATABASE_BYTES } from "./health/check-database.ts";
import { readBootId } from "./health/continuity.ts";
import { type SqliteJob, startSqliteJob } from "./health/integrity-check.ts";
import { toOpenError } from "./health/open-errors.ts";
import { recoverDatabase } from "./health/recover-database.ts";
import { renewWal, type WalFile } from "./health/renew-wal.ts";
import { createRun, type Run } from "./health/run-marker.ts";
import { checkMark } from "./health/storage-files.ts";
import { createHealthMonitor, type HealthMonitor, type StorageHealth } from "./health/storage-health.ts";
import { acquireStorageLock, type StorageLock } from "./health/storage-lock.ts";
import { createUpgradeProgress } from "./health/upgrade-progress.ts";
import { FIND_TASK } from "./search/find-rows.ts";
import { REBUILD_TASKS } from "./search/rebuild-index.ts";
import { createCheckpointer } from "./sqlite/checkpointer.ts";
import { createDurability, type Durability } from "./sqlite/durability.ts";
import { createReclaimer, databaseBytes, makeShrinkable } from "./sqlite/free-pages.ts";
import { type Connection, openConnection, PATIENT_MS, SERVING_MS } from "./sqlite/open-connection.ts";
import { createSqlDatabase } from "./sqlite/sql-database.ts";
import { createSqlThread, type SqlThread } from "./sqlite/sql-thread.ts";
import { loadSqlite, type SqliteEngine } from "./sqlite/sqlite-loader.ts";
import { createSyncThread, type Syncer } from "./sqlite/sync-thread.ts";
import { migrate, pendingMigrations } from "./tables/migrate.ts";
import { allMigrations } from "./tables/migrations/all-migrations.ts";
import type { Migration } from "./tables/migrations/migration.ts";
import { REMOVAL_TASK } from "./tables/removal-steps.ts";

export interface OpenStoreOptions {
	/** The database file, or ":memory:". */
	path: string;
	clock: Clock;
	logger: Logger;
	ids: IdSource;
	/** Default: `backups` beside the database. */
	backupsDirectory?: string;
	/** Where a long upgrade says how far it is, for the person who waits for the start; default: the log. */
	tell?: ((sentence: string) => void) | undefined;
	/** For tests: other migrations, another boot of the machine, another size from which the check waits until after the start. */
	migrations?: readonly Migration[];
	bootId?: string;
	largeBytes?: number;
	/** For tests: another disk, another SQLite, and nothing on other threads. */
	syncer?: Syncer;
	walFile?: WalFile;
	engine?: SqliteEngine;
	isSingleThreaded?: boolean;
}

/** The storage of one server; open, and patient with other programs, before it is started. */
export interface OpenedStore extends Lifecycle {
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
	/** From here on people wait: another program that has the database is waited for no longer than `SERVING_MS`, one backup a day is made, and what is left of deleted conversations goes. */
	start(): Promise<void>;
	/** Marks the stop as clean, folds the -wal into the database and lets go of the lock. */
	close(): Promise<void>;
}

/**
 * Opens the database of one server: lock, integrity, schema, continuity. Throws with a sentence for people when another server
 * has it, when a newer version wrote it, or when it cannot be written.
 */
export function openStore(options: OpenStoreOptions): OpenedStore {
	const engine = options.engine ?? loadSqlite();
	if (options.path === ":memory:") return open(options, { engine, path: ":memory:" });
	const path = resolve(options.path);
	let lock: StorageLock | undefined;
	try {
		mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
		lock = acquireStorageLock(engine, path);
		return open(options, { engine, path, lock });
	} catch (error) {
		lock?.release();
		throw toOpenError(path, error);
	}
}

function open(options: OpenStoreOptions, place: { engine: SqliteEngine; path: string; lock?: StorageLock }): OpenedStore {
	const { clock, logger, ids, migrations = allMigrations } = options;
	const { engine, path, lock } = place;
	const directory = options.backupsDirectory ?? join(dirname(path), "backups");
	const { bootId = readBootId(), largeBytes = LARGE_DATABASE_BYTES } = options;
	const found = lock && recoverDatabase({ engine, path, backupsDirectory: directory, now: clock.now(), logger, largeBytes, bootId });
	const recovery = found?.recovery;
	const connection = openConnection(engine, path);
	if (lock) renewOrClose(connection, path, options.walFile);
	const health = createHealthMonitor({
		...{ clock, logger, probe: connection.probe },
		onDamage: () => lock && writeFileSync(checkMark(path), "", { mode: 0o600 }),
	});
	if (recovery !== undefined) health.set({ recovery });
	const syncer = lock && (options.syncer ?? createSyncThread(`${path}-wal`));
	const durability = createDurability({ syncer, logger, onFailure: health.reportSyncFailure });
	const hasThreads = lock !== undefined && options.isSingleThreaded !== true;
	const thread = hasThreads ? createSqlThread(engine, path, { tasks: REBUILD_TASKS + REMOVAL_TASK }) : undefined;
	const gate = { ...health.gate, waitForOurs: () => thread?.waitForCommit() === true };
	const sql = createSqlDatabase(connection.database, logger, gate, durability);

	const progress = createUpgradeProgress(clock, options.tell ?? ((sentence) => logger.info({}, sentence)));
	try {
		const { applied, missing } = pendingMigrations(sql, migrations);
		if (applied.length === 0) migrate(sql, missing, clock.now());
		const run = createRun({ sql, health, logger, bootId, wasRestored: recovery !== undefined, saysRunning: found?.saysRunning === true });
		if (applied.length > 0 && missing.length > 0) {
			progress.step("making a backup before the upgrade", databaseBytes(sql));
			if (lock) backUpBeforeUpgrade({ engine, sql, directory, now: clock.now() });
			migrate(sql, missing, clock.now(), progress.share);
		}
		const begin = (bytes: number) => progress.step("rewriting the database so that it can shrink", bytes);
		if (lock) makeShrinkable({ sql, directory: dirname(path), logger, begin });
		progress.end();
		const searchThread = hasThreads
			? createSqlThread(engine, path, { name: "storage-search", readOnly: true, tasks: FIND_TASK })
			: undefined;
		const { withoutForeignKeys } = connection;
		const fault = health.gate.fault;
		const { store, removal } = createStore({ sql, clock, ids, logger, durability, thread, searchThread, withoutForeignKeys, fault });
		run.start(() => store.conversations.replaceEpochs(() => epoch(ids.next())));

		const lateCheck = found?.checkLater ? checkInBackground({ engine, path, health, logger }) : undefined;
		const walBytes = async () => (await stat(`${path}-wal`)).size;
		const checkpointer = thread && createCheckpointer({ thread, durability, walBytes, clock, logger });
		const reclaimer = thread && createReclaimer({ sql, thread, clock, logger });
		const backups = lock && createBackups({ engine, path, directory, clock, logger, health });
		let closing: Promise<void> | undefined;
		return {
			store,
			sql,
			health: health.current,
			onHealth: health.listen,
			wasClean: run.wasClean,
			backupNow: () => backups?.now() ?? Promise.reject(new AppError("not-found", "A database in memory has no backups.")),
			async start() {
				connection.waitAtMost(SERVING_MS);
				backups?.start();
				removal.start();
			},
			close() {
				closing ??= closeStore({
					backups,
					lateCheck,
					timers: [removal, checkpointer, reclaimer],
					threads: [searchThread, thread],
					syncer,
					durability,
					health,
					connection,
					lock,
					run,
					logger,
				});
				return closing;
			},
		};
	} catch (error) {
		health.close();
		void syncer?.close();
		connection.close();
		throw error;
	}
}

function renewOrClose(connection: Connection, path: string, walFile: WalFile | undefined): void {
	try {
		renewWal(connection.database, path, walFile);
	} catch (error) {
		connection.leave();
		throw error;
	}
}

function checkInBackground(deps: { engine: SqliteEngine; path: string; health: HealthMonitor; logger: Logger }): SqliteJob {
	const job = startSqliteJob(deps.engine, { source: deps.path });
	job.done.then(
		(isIntact) => {
			if (!isIntact) deps.health.reportDamage();
		},
		(error: unknown) => deps.logger.warn({ err: error }, "The check of the database did not finish"),
	);
	return job;
}

async function closeStore(parts: {
	backups: Backups | undefined;
	lateCheck: SqliteJob | undefined;
	timers: ({ close(): void } | undefined)[];
	threads: (SqlThread | undefined)[];
	syncer: Syncer | undefined;
	health: HealthMonitor;
	durability: Pick<Durability, "hasFailed">;
	connection: Connection;
	lock: StorageLock | undefined;
	run: Run;
	logger: Logger;
}) {
	await parts.backups?.close();
	await parts.lateCheck?.stop();
	for (const timer of parts.timers) timer?.close();
	for (const thread of parts.threads) await thread?.close();
	// After a failed sync the -wal may not be on the disk as it looks, so nothing is folded in from it before the next start has written it anew.
	const isSure = !parts.durability.hasFailed();
	try {
		parts.connection.waitAtMost(PATIENT_MS);
		if (isSure) parts.run.end();
	} catch (error) {
		parts.logger.error({ err: error }, "The database was not closed in order");
	}
	await parts.syncer?.close();
	parts.health.close();
	if (isSure) parts.connection.close();
	else parts.connection.leave();
	parts.lock?.release();
}
