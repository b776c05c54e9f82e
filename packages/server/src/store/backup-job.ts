import { rmSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { SqliteEngine } from "./sqlite-loader.ts";
import { databaseFiles, preparePrivateFile, publishFile } from "./storage-files.ts";

/**
 * Writes a verified copy of the database to `target`, in a thread of its own with its own reading connection: copying and
 * checking a large database takes seconds, in which the server must go on answering.
 */
export function createBackupJob(engine: SqliteEngine, source: string, target: string) {
	const temporary = `${target}.partial`;
	preparePrivateFile(temporary);
	const worker = new Worker(WORKER, { eval: true, workerData: { specifier: engine.specifier, source, temporary } });
	worker.unref();
	const done = new Promise<string>((resolve, reject) => {
		worker.once("message", (result: unknown) => {
			if (result === "ok") resolve(target);
			else reject(new Error(`The backup is not sound: ${String(result)}`));
		});
		worker.once("error", reject);
		worker.once("exit", () => reject(new Error("The backup was stopped.")));
	}).then((path) => {
		publishFile(temporary, target);
		return path;
	});
	const cleaned = done.catch((error: unknown) => {
		for (const file of databaseFiles(temporary)) rmSync(file, { force: true });
		throw error;
	});
	return { done: cleaned, stop: () => worker.terminate() };
}

// Text, because a file of its own would have to be found both in the sources and in the built server.
const WORKER = `
const { parentPort, workerData } = require("node:worker_threads");
const { DatabaseSync } = require(workerData.specifier);
const source = new DatabaseSync(workerData.source, { readOnly: true, timeout: 5000 });
source.prepare("VACUUM INTO ?").run(workerData.temporary);
source.close();
const copy = new DatabaseSync(workerData.temporary, { readOnly: true });
const result = copy.prepare("PRAGMA quick_check(1)").get().quick_check;
copy.close();
parentPort.postMessage(result);
`;
