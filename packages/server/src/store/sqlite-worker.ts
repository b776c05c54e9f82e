import { Worker } from "node:worker_threads";
import { MARK_AS_BACKUP } from "./backup-files.ts";
import type { SqliteEngine } from "./sqlite-loader.ts";

export interface SqliteJob {
	/** Resolves with whether the file is sound; rejects when that could not be found out. */
	done: Promise<boolean>;
	stop(): Promise<void>;
}

/**
 * Checks a database, or with `copyTo` a fresh copy of it, in a thread of its own with its own reading connection: for a large
 * database that takes seconds, in which the server must go on answering.
 */
export function startSqliteJob(engine: SqliteEngine, job: { source: string; copyTo?: string }): SqliteJob {
	const worker = new Worker(SCRIPT, { eval: true, workerData: { specifier: engine.specifier, mark: MARK_AS_BACKUP, ...job } });
	worker.unref();
	const done = new Promise<boolean>((resolve, reject) => {
		worker.once("message", (isSound: unknown) => resolve(isSound === true));
		worker.once("error", reject);
		worker.once("exit", () => reject(new Error("The check of the database was stopped.")));
	});
	const stop = async () => {
		await worker.terminate();
	};
	return { done, stop };
}

// Text, because a file of its own would have to be found both in the sources and in the built server.
const SCRIPT = `
const { parentPort, workerData } = require("node:worker_threads");
const { DatabaseSync } = require(workerData.specifier);
const open = (path) => new DatabaseSync(path, { readOnly: true, timeout: 5000 });
const DAMAGED = [11, 26];
try {
	if (workerData.copyTo !== undefined) {
		const source = open(workerData.source);
		source.prepare("VACUUM INTO ?").run(workerData.copyTo);
		source.close();
		const copy = new DatabaseSync(workerData.copyTo);
		copy.exec(workerData.mark);
		copy.close();
	}
	const database = open(workerData.copyTo ?? workerData.source);
	const found = database.prepare("PRAGMA quick_check").all().map((row) => row.quick_check);
	database.close();
	parentPort.postMessage(found.every((line) => line === "ok" || /fts5/i.test(line)));
} catch (error) {
	const isDamage = DAMAGED.includes(error.errcode & 0xff) || /malformed|not a database/.test(error.message);
	if (!isDamage) throw error;
	parentPort.postMessage(false);
}
`;
