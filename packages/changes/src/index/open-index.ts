import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openSqlite, type SqlDatabase, type SqlStatement } from "./sqlite.ts";

/** The second database of the server: which changes there are, their steps, and where contents lie. */
export interface ChangesIndex {
	/** Prepared once for each text. */
	sql(text: string): SqlStatement;
	/** One transaction; what is thrown in it undoes it. */
	transaction<T>(work: () => T): T;
	/** Everything committed so far survives a power cut. */
	checkpoint(): void;
	close(): void;
}

const VERSION = 1;
export const INDEX_FILE = "index.db";

/** Makes the folder for the recorder's files, private to this user. */
export function prepareHome(home: string): void {
	for (const folder of [home, join(home, "packs")]) {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		chmodSync(folder, 0o700);
	}
}

/** Opens the index. One that is damaged, or of a later version, is moved aside and a new one is begun: `replaced` says so. */
export function openIndex(home: string): { index: ChangesIndex; replaced: boolean } {
	const path = join(home, INDEX_FILE);
	try {
		return { index: createIndex(openChecked(path)), replaced: false };
	} catch (error) {
		if (!existsSync(path) || !isUnusable(error)) throw error;
		// Not deleted: whoever wants to rescue something from it can.
		for (const suffix of ["-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
		renameSync(path, `${path}.unusable`);
		return { index: createIndex(openChecked(path)), replaced: true };
	}
}

function openChecked(path: string): SqlDatabase {
	// SQLite makes its other two files with the rights of this one. Never opened here once it is there: to close it would take the locks of other threads.
	if (existsSync(path)) chmodSync(path, 0o600);
	else closeSync(openSync(path, "ax", 0o600));
	const database = openSqlite(path);
	try {
		const version = Number(database.prepare("PRAGMA user_version").get()?.user_version ?? 0);
		if (version > VERSION) throw new RangeError(`version ${version} is not known`);
		if (version === 0) database.exec(`BEGIN IMMEDIATE; ${SCHEMA}; PRAGMA user_version = ${VERSION}; COMMIT`);
		return database;
	} catch (error) {
		database.close();
		throw error;
	}
}

/** The file is no database of ours; a full disk or a lock is another matter. */
function isUnusable(error: unknown): boolean {
	return error instanceof RangeError || (error instanceof Error && /not a database|malformed|corrupt/i.test(error.message));
}

function createIndex(database: SqlDatabase): ChangesIndex {
	const statements = new Map<string, SqlStatement>();
	let depth = 0;
	return {
		sql(text) {
			const known = statements.get(text);
			if (known !== undefined) return known;
			const made = database.prepare(text);
			statements.set(text, made);
			return made;
		},
		transaction(work) {
			if (depth > 0) return work();
			depth += 1;
			database.exec("BEGIN IMMEDIATE");
			try {
				const result = work();
				database.exec("COMMIT");
				return result;
			} catch (error) {
				database.exec("ROLLBACK");
				throw error;
			} finally {
				depth -= 1;
			}
		},
		checkpoint() {
			// A passive one syncs the -wal first, and waits for nobody.
			database.exec("PRAGMA wal_checkpoint(PASSIVE)");
		},
		close() {
			statements.clear();
			database.close();
		},
	};
}

// Paths are latin1 of their bytes, so that text columns hold them exactly. States are written as `steps/state-code.ts` says.
const SCHEMA = `
	CREATE TABLE roots (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, refused INTEGER NOT NULL, used_at INTEGER NOT NULL);
	CREATE TABLE files (
		root INTEGER NOT NULL, path TEXT NOT NULL, state TEXT NOT NULL,
		ino REAL NOT NULL, size REAL NOT NULL, mtime REAL NOT NULL, ctime REAL NOT NULL, mode INTEGER NOT NULL,
		PRIMARY KEY (root, path)
	) WITHOUT ROWID;
	CREATE TABLE changes (
		id TEXT PRIMARY KEY, conversation TEXT NOT NULL, kind TEXT NOT NULL, message TEXT, label TEXT, root TEXT NOT NULL,
		at INTEGER NOT NULL, settled INTEGER NOT NULL DEFAULT 0, undoes TEXT, undone INTEGER NOT NULL DEFAULT 0, unfinished INTEGER NOT NULL DEFAULT 0,
		files INTEGER NOT NULL DEFAULT 0, added INTEGER NOT NULL DEFAULT 0, removed INTEGER NOT NULL DEFAULT 0, missed INTEGER NOT NULL DEFAULT 0
	);
	CREATE INDEX changes_by_conversation ON changes (conversation, at, id);
	CREATE TABLE steps (id INTEGER PRIMARY KEY, root TEXT NOT NULL, path TEXT NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL, at INTEGER NOT NULL, head TEXT);
	CREATE TABLE links (change TEXT NOT NULL, step INTEGER NOT NULL, actors TEXT NOT NULL, windows TEXT NOT NULL, PRIMARY KEY (change, step)) WITHOUT ROWID;
	CREATE INDEX links_by_step ON links (step);
	CREATE TABLE missed (change TEXT NOT NULL, root TEXT NOT NULL, path TEXT NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (change, root, path, reason)) WITHOUT ROWID;
	CREATE TABLE windows (id TEXT PRIMARY KEY, change TEXT NOT NULL, root TEXT NOT NULL, request TEXT NOT NULL);
	CREATE TABLE packs (id INTEGER PRIMARY KEY, bytes INTEGER NOT NULL DEFAULT 0, open INTEGER NOT NULL DEFAULT 1);
	CREATE TABLE blobs (hash TEXT PRIMARY KEY, pack INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL, size INTEGER NOT NULL, used_at INTEGER NOT NULL) WITHOUT ROWID;
	CREATE INDEX blobs_by_pack ON blobs (pack);
	CREATE TABLE undos (change TEXT NOT NULL, root TEXT NOT NULL, plan TEXT NOT NULL, PRIMARY KEY (change, root)) WITHOUT ROWID;
`;
