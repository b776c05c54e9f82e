import { Worker } from "node:worker_threads";
import { AppError } from "../../core/kernel/errors.ts";
import type { SqlRow, SqlValue } from "../../core/ports/sql.ts";
import type { SqliteEngine } from "./sqlite-loader.ts";

/** A second connection to the database on a thread of its own, for what takes longer than a socket may wait. One statement at a time, in order. */
export interface SqlThread {
	all(sql: string, ...values: SqlValue[]): Promise<SqlRow[]>;
	/** Runs one of the tasks that the thread was made with. */
	run(task: string, input: unknown): Promise<SqlRow[]>;
	/** Holds this thread until the other one has committed what it writes now; false when it writes nothing. */
	waitForCommit(): boolean;
	/** Syncs the database file itself, outside of any transaction. */
	syncFile(): Promise<void>;
	/** Takes nothing more in, waits for the statement that runs and drops the rest: a thread stopped inside SQLite would end the process. */
	close(): Promise<void>;
}

/** SQLite's own error, as the thread met it; `errcode` says whether the disk is full, busy or broken. */
class SqlFailure extends Error {
	readonly errcode: number | undefined;
	constructor(message: string, errcode: number | undefined) {
		super(message);
		this.name = "SqlFailure";
		this.errcode = errcode;
	}
}

interface Pending {
	resolve(rows: SqlRow[]): void;
	reject(error: Error): void;
}

export interface SqlThreadOptions {
	name?: string;
	/** The connection only reads. */
	readOnly?: boolean;
	/** Source text that adds functions to `tasks`; it may use `prepare`. */
	tasks?: string;
}

/** The thread starts with the first statement. */
export function createSqlThread(engine: SqliteEngine, path: string, options: SqlThreadOptions = {}): SqlThread {
	const { name = "storage-work", readOnly = false, tasks = "" } = options;
	const pending = new Map<number, Pending>();
	/** [a statement runs, no other may begin, a transaction holds the lock for writing] */
	const control = new Int32Array(new SharedArrayBuffer(12));
	let worker: Worker | undefined;
	let next = 0;
	let isClosed = false;

	function start(): Worker {
		const workerData = { specifier: engine.specifier, path, readOnly, pragmas: PRAGMAS, control };
		const started = new Worker(SCRIPT + tasks, {
			eval: true,
			workerData,
			env: {},
			execArgv: [],
			trackUnmanagedFds: false,
			resourceLimits: SMALL_HEAP,
			name,
		});
		started.on("message", ({ id, rows, error }: { id: number; rows?: SqlRow[]; error?: { message: string; errcode?: number } }) => {
			const caller = pending.get(id);
			pending.delete(id);
			// Not while it closes: a process that has nothing else to do would end before the storage is closed.
			if (pending.size === 0 && !isClosed) started.unref();
			if (error !== undefined) caller?.reject(new SqlFailure(error.message, error.errcode));
			else caller?.resolve(rows ?? []);
		});
		started.on("error", rejectAll);
		process.once("exit", letFinish);
		started.on("exit", () => {
			process.off("exit", letFinish);
			worker = undefined;
			rejectAll(new AppError("storage-unusable", "The storage's thread has ended."));
		});
		return started;
	}
	/** A process that is ended without `close` waits for the statement that runs, or it would end by a signal instead of its exit code. */
	function letFinish(): void {
		Atomics.store(control, 1, 1);
		Atomics.wait(control, 0, 1, EXIT_WAIT_MS);
	}
	function rejectAll(error: Error): void {
		for (const { reject } of pending.values()) reject(error);
		pending.clear();
	}

	function ask(task: string, input: unknown): Promise<SqlRow[]> {
		if (isClosed) return Promise.reject(new AppError("shutting-down", "The storage is closed."));
		worker ??= start();
		worker.ref();
		const id = next++;
		worker.postMessage({ id, task, input });
		return new Promise((resolve, reject) => pending.set(id, { resolve, reject }));
	}

	return {
		all: (sql, ...values) => ask("all", { sql, values }),
		run: ask,
		waitForCommit() {
			if (Atomics.load(control, 2) === 0) return false;
			Atomics.wait(control, 2, 1, COMMIT_WAIT_MS);
			return true;
		},
		syncFile: async () => void (await ask("syncFile", undefined)),
		async close() {
			isClosed = true;
			const ending = worker;
			if (ending === undefined) return;
			const exited = new Promise<void>((resolve) => ending.once("exit", () => resolve()));
			// Otherwise a process that has nothing else left to do would end in the middle of this.
			ending.ref();
			ending.postMessage("close");
			await exited;
		},
	};
}

/** Rows pass through it and do not stay. */
const SMALL_HEAP = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 128 };
const EXIT_WAIT_MS = 5_000;
const COMMIT_WAIT_MS = 5_000;

// synchronous: NORMAL syncs the -wal before a checkpoint copies it and the database after, and at no commit: the lock for writing is never held over a sync.
const PRAGMAS = `
	PRAGMA synchronous = NORMAL;
	PRAGMA foreign_keys = ON;
	PRAGMA busy_timeout = 5000;
	PRAGMA trusted_schema = OFF;
	PRAGMA cell_size_check = ON;
	PRAGMA temp_store = MEMORY;
	PRAGMA wal_autocheckpoint = 0;
	PRAGMA journal_size_limit = ${64 * 1024 * 1024};
`;

// Text, because a file of its own would have to be found both in the sources and in the built server.
const SCRIPT = `
const { parentPort, workerData } = require("node:worker_threads");
const { fdatasyncSync, openSync } = require("node:fs");
const { DatabaseSync } = require(workerData.specifier);
const state = { isClosing: false };
const statements = new Map();
const open = () => {
	const opened = new DatabaseSync(workerData.path, { timeout: 5000, readOnly: workerData.readOnly });
	opened.exec(workerData.pragmas);
	return opened;
};
const prepare = (sql) => {
	const statement = statements.get(sql) ?? state.database.prepare(sql);
	if (statements.size > 100) statements.clear();
	statements.set(sql, statement);
	return statement;
};
// Never closed, not even with the thread: closing any descriptor of the file would drop the locks that SQLite holds on it in this process.
const syncFile = () => {
	state.file ??= openSync(workerData.path, "r");
	fdatasyncSync(state.file);
	return [];
};
// Says that it has the lock, so that who finds the database locked can tell us from another program.
const writing = (work) => {
	const { control } = workerData;
	state.database.exec("BEGIN IMMEDIATE");
	Atomics.store(control, 2, 1);
	try {
		const result = work();
		state.database.exec("COMMIT");
		return result;
	} catch (error) {
		if (state.database.isTransaction) state.database.exec("ROLLBACK");
		throw error;
	} finally {
		Atomics.store(control, 2, 0);
		Atomics.notify(control, 2);
	}
};
const WRITES = /^\\s*(insert|update|delete|pragma incremental_vacuum)\\b/i;
const all = ({ sql, values }) => prepare(sql).all(...values);
const tasks = { all: (input) => (WRITES.test(input.sql) ? writing(() => all(input)) : all(input)), syncFile };
parentPort.on("message", (message) => {
	if (message === "close") {
		state.isClosing = true;
		statements.clear();
		state.database?.close();
		parentPort.close();
		return;
	}
	const { id, task, input } = message;
	const { control } = workerData;
	Atomics.store(control, 0, 1);
	try {
		if (state.isClosing || Atomics.load(control, 1) === 1) return;
		state.database ??= open();
		parentPort.postMessage({ id, rows: tasks[task](input) });
	} catch (error) {
		parentPort.postMessage({ id, error: { message: error.message, errcode: error.errcode } });
	} finally {
		Atomics.store(control, 0, 0);
		Atomics.notify(control, 0);
	}
});
`;
