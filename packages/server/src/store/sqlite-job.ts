import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { MARK_AS_BACKUP } from "./backup-files.ts";
import type { SqliteEngine } from "./sqlite-loader.ts";

export interface SqliteJob {
	/** Resolves with whether the file is sound; rejects when that could not be found out. */
	done: Promise<boolean>;
	stop(): Promise<void>;
}

const DAMAGED_EXIT = 3;
const MAX_ERROR_CHARS = 2_000;

/**
 * Checks a database, or with `copyTo` a fresh copy of it, in a process of its own: for a large database that takes seconds, in
 * which the server must go on answering. Not in a thread: to stop one inside SQLite ends the whole process.
 */
export function startSqliteJob(engine: SqliteEngine, job: { source: string; copyTo?: string }): SqliteJob {
	const input = JSON.stringify({ specifier: engine.specifier, mark: MARK_AS_BACKUP, ...job });
	// Without our environment, which may hold secrets that a crash of this process would write down.
	const child = spawn(process.execPath, ["-e", SCRIPT, input], { stdio: ["ignore", "ignore", "pipe"], env: {} });
	if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
	child.unref();
	let errors = "";
	child.stderr.setEncoding("utf8").on("data", (text: string) => {
		errors = (errors + text).slice(0, MAX_ERROR_CHARS);
	});
	const done = new Promise<boolean>((resolve, reject) => {
		child.once("error", reject);
		child.once("close", (code, signal) => {
			if (code === 0 || code === DAMAGED_EXIT) resolve(code === 0);
			else reject(new Error(signal === null ? errors.trim() : "The check of the database was stopped."));
		});
	});
	const stop = async () => {
		child.kill("SIGKILL");
		await done.catch(() => undefined);
	};
	return { done, stop };
}

// Text, because a file of its own would have to be found both in the sources and in the built server.
const SCRIPT = `
const { specifier, mark, source, copyTo } = JSON.parse(process.argv[1]);
const { DatabaseSync } = require(specifier);
const open = (path) => new DatabaseSync(path, { readOnly: true, timeout: 5000 });
const isSound = () => {
	if (copyTo !== undefined) {
		open(source).prepare("VACUUM INTO ?").run(copyTo);
		new DatabaseSync(copyTo).exec(mark);
	}
	const found = open(copyTo ?? source).prepare("PRAGMA quick_check").all().map((row) => row.quick_check);
	return found.every((line) => line === "ok" || /fts5/i.test(line));
};
try {
	process.exit(isSound() ? 0 : ${DAMAGED_EXIT});
} catch (error) {
	const isDamage = [11, 26].includes(error.errcode & 0xff) || /malformed|not a database/.test(error.message);
	if (isDamage) process.exit(${DAMAGED_EXIT});
	process.stderr.write(error.message);
	process.exitCode = 1;
}
`;
