import { spawn } from "node:child_process";
import { Socket } from "node:net";
import { constants, setPriority } from "node:os";
import { AppError } from "../../core/kernel/errors.ts";
import { MARK_AS_BACKUP } from "../backup/backup-files.ts";
import type { SqliteEngine } from "../sqlite/sqlite-loader.ts";

export interface SqliteJob {
	/** Resolves with whether the file is sound; rejects when that could not be found out. */
	done: Promise<boolean>;
	stop(): Promise<void>;
}

const DAMAGED_EXIT = 3;
const MAX_ERROR_CHARS = 2_000;

export interface SqliteWork {
	source: string;
	/** Where to put a copy, which is checked instead of the source; a sound one is synced and renamed, then the old ones are removed. */
	copy?: { to: string; publishAs: string; remove: string[] };
}

/**
 * Checks a database or makes a checked copy of it in a process of its own: for a large database that takes seconds, in which the
 * server must go on answering. Not in a thread: to stop one inside SQLite ends the whole process. It ends with the server, however
 * that ends: what it reads cannot be folded in by the next one.
 */
export function startSqliteJob(engine: SqliteEngine, job: SqliteWork): SqliteJob {
	const input = JSON.stringify({ specifier: engine.specifier, mark: MARK_AS_BACKUP, ...job });
	// Without our environment, which may hold secrets that a crash of this process would write down.
	const child = spawn(process.execPath, ["-e", SQLITE_JOB_SCRIPT, input], { stdio: ["pipe", "ignore", "pipe"], env: {} });
	// Never written to: it closes when this process ends, and that is how the other one notices.
	if (child.stdin instanceof Socket) child.stdin.unref();
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
			else reject(new AppError("storage-unusable", signal === null ? errors.trim() : "The check of the database was stopped."));
		});
	});
	const stop = async () => {
		child.kill("SIGKILL");
		await done.catch(() => undefined);
	};
	return { done, stop };
}

// Text, because a file of its own would have to be found both in the sources and in the built server.
export const SQLITE_JOB_SCRIPT = `
const fs = require("node:fs");
const { dirname } = require("node:path");
const { Worker } = require("node:worker_threads");
const WATCH = 'new (require("node:net").Socket)({ fd: 0 }).on("error", () => {}).on("close", () => process.kill(process.pid, "SIGKILL")).resume();';
new Worker(WATCH, { eval: true }).unref();
const { specifier, mark, source, copy } = JSON.parse(process.argv[1]);
const { DatabaseSync } = require(specifier);
const open = (path) => new DatabaseSync(path, { readOnly: true, timeout: 5000 });
const isIntact = () => {
	if (copy !== undefined) {
		open(source).prepare("VACUUM INTO ?").run(copy.to);
		new DatabaseSync(copy.to).exec(mark);
	}
	const found = open(copy?.to ?? source).prepare("PRAGMA quick_check").all().map((row) => row.quick_check);
	return found.every((line) => line === "ok" || /fts5/i.test(line));
};
const sync = (path) => {
	const file = fs.openSync(path, "r");
	fs.fsyncSync(file);
	fs.closeSync(file);
};
const publish = () => {
	sync(copy.to);
	fs.renameSync(copy.to, copy.publishAs);
	sync(dirname(copy.publishAs));
	for (const path of copy.remove) fs.rmSync(path, { force: true });
};
try {
	const sound = isIntact();
	if (sound && copy !== undefined) publish();
	process.exit(sound ? 0 : ${DAMAGED_EXIT});
} catch (error) {
	const isDamage = [11, 26].includes(error.errcode & 0xff) || /malformed|not a database/.test(error.message);
	if (isDamage) process.exit(${DAMAGED_EXIT});
	process.stderr.write(error.message);
	process.exitCode = 1;
}
`;
