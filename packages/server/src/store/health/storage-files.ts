import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync } from "node:fs";
import { dirname } from "node:path";

/** Files that belong to one database; SQLite names the last two. */
export const databaseFiles = (path: string) => [path, `${path}-wal`, `${path}-shm`];

/** Beside a database in which damage was found: the next start checks it before anything else, whatever its size. */
export const checkMark = (path: string) => `${path}.check`;

/** Makes the directory and an empty database that only the owner can read; SQLite gives the -wal and -shm the same mode. */
export function preparePrivateFile(path: string) {
	mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
	// An existing file is never opened here: closing it would drop the locks that SQLite holds on it in this process.
	if (!existsSync(path)) closeSync(openSync(path, "ax", 0o600));
	for (const file of databaseFiles(path)) if (existsSync(file)) chmodSync(file, 0o600);
}

/** Renames the database and its companions so that they still fit together; returns where they are now. */
export function moveAside(path: string, label: string): string[] {
	const files = databaseFiles(path).filter((file) => existsSync(file));
	return files.map((file) => {
		const target = `${path}.${label}${file.slice(path.length)}`;
		renameSync(file, target);
		return target;
	});
}

/** Puts a finished file in its place so that after a crash it is there whole or not at all. */
export function publishFile(temporary: string, path: string) {
	syncFile(temporary);
	renameSync(temporary, path);
	syncFile(dirname(path));
}

/** A time that sorts as text and fits into a file name. */
export const timeStamp = (ms: number) => new Date(ms).toISOString().replace(/[-:.]/g, "");

function syncFile(path: string) {
	const handle = openSync(path, "r");
	try {
		fsyncSync(handle);
	} finally {
		closeSync(handle);
	}
}
