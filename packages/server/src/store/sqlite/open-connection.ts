import { assertSafeSqlite, type NativeDatabase, type SqliteEngine } from "./sqlite-loader.ts";

/** How long a start and a stop wait for another program that has the database; nobody else is waiting then. */
export const PATIENT_MS = 5_000;
/** The same while the server runs, on the thread that serves everybody. */
export const SERVING_MS = 100;
/** Larger than what a nearly full disk has left in the -wal already written, so that success means space. */
const PROBE_BYTES = 256 * 1024;

export interface Connection {
	database: NativeDatabase;
	/** From now on who finds the database locked is refused after this long: everybody else waits as well. */
	waitAtMost(ms: number): void;
	/** Writes and removes a row; throws while the disk takes nothing. */
	probe(): void;
	/**
	 * Runs it without foreign keys: rows that refer to what it deletes stay. Inside a transaction SQLite ignores the switch, and they go at once.
	 * Not through the gate of writes: a disk that fails meanwhile must not leave the keys off.
	 */
	withoutForeignKeys<T>(work: () => T): T;
	/** Whoever closes last folds the -wal into the database. */
	close(): void;
	/** Closes it and leaves the -wal as it is, for the next start. */
	leave(): void;
}

/** The one writing connection of the server. */
export function openConnection(engine: SqliteEngine, path: string): Connection {
	const database = new engine.module.DatabaseSync(path, { timeout: PATIENT_MS });
	try {
		assertSafeSqlite(database);
		database.exec(PRAGMAS);
		// A file that cannot be written is opened for reading without a word.
		database.exec("BEGIN IMMEDIATE; ROLLBACK");
	} catch (error) {
		database.close();
		throw error;
	}
	const close = () => {
		if (database.isOpen) database.close();
	};
	return {
		database,
		waitAtMost: (ms) => database.exec(`PRAGMA busy_timeout = ${ms}`),
		probe() {
			try {
				database.exec(`BEGIN IMMEDIATE; INSERT OR REPLACE INTO meta (key, value) VALUES ('write-probe', zeroblob(${PROBE_BYTES})); COMMIT`);
				database.exec("DELETE FROM meta WHERE key = 'write-probe'");
			} finally {
				if (database.isTransaction) database.exec("ROLLBACK");
			}
		},
		withoutForeignKeys(work) {
			database.exec("PRAGMA foreign_keys = OFF");
			try {
				return work();
			} finally {
				database.exec("PRAGMA foreign_keys = ON");
			}
		},
		close,
		leave() {
			// One that only reads folds nothing in, neither while it is open nor when it is the last.
			let reader: NativeDatabase | undefined;
			try {
				reader = new engine.module.DatabaseSync(path, { readOnly: true });
				reader.prepare("SELECT 1 FROM sqlite_schema").get();
				close();
			} catch (error) {
				// A disk that cannot be read either: it stays open until the process ends, which folds nothing in.
				if (!(error instanceof Error)) throw error;
			} finally {
				reader?.close();
			}
		},
	};
}

// temp_store: parts of conversations must not end up in a world-readable temporary directory.
// cell_size_check: a damaged page is noticed when it is read, before it is copied further.
// cache_size: 16 MB, so that a search for very common words does not read the same pages again and again.
// synchronous: a commit writes to the page cache only; durability.ts says when it counts. The header of a -wal that begins anew is still synced.
// wal_autocheckpoint: checkpoints sync too, so they are made by another thread (checkpointer.ts). Before auto_vacuum, which writes a page: what a killed
// server left in the -wal must not be folded in before it was made durable (renew-wal.ts).
// journal_size_limit: one large transaction must not leave a -wal of its size for ever.
// auto_vacuum: before whatever reads the file, because only one without any page takes it (free-pages.ts for the others).
const PRAGMAS = `
	PRAGMA wal_autocheckpoint = 0;
	PRAGMA auto_vacuum = INCREMENTAL;
	PRAGMA journal_mode = WAL;
	PRAGMA synchronous = NORMAL;
	PRAGMA foreign_keys = ON;
	PRAGMA trusted_schema = OFF;
	PRAGMA cell_size_check = ON;
	PRAGMA temp_store = MEMORY;
	PRAGMA cache_size = -16000;
	PRAGMA journal_size_limit = ${64 * 1024 * 1024};
`;
