import { closeSync, existsSync, fdatasyncSync, openSync, readSync, writeSync } from "node:fs";
import { AppError } from "../../core/kernel/errors.ts";
import type { NativeDatabase } from "../sqlite/sqlite-loader.ts";

/** The calls to the disk; tests have others. */
export interface WalFile {
	read(file: number, into: Uint8Array, at: number): number;
	write(file: number, bytes: Uint8Array, at: number): void;
	sync(file: number): void;
}
const realFile: WalFile = {
	read: (file, into, at) => readSync(file, into, 0, into.length, at),
	write(file, bytes, at) {
		for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, at + done);
	},
	sync: fdatasyncSync,
};

const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const CHUNK_BYTES = 1_048_576;

/**
 * Makes what an earlier process left in the -wal survive a power cut, before anything of it is read out. It may be in the page cache only; and when a sync
 * has failed, the kernel takes those pages for written and answers "ok" to the next one. So every byte is written again, over itself, and synced.
 * A checkpoint alone would not do: it overwrites pages of the database and relies on a -wal that may not be on the disk.
 */
export function renewWal(database: NativeDatabase, path: string, file: WalFile = realFile): void {
	const frames = Number(database.prepare("PRAGMA wal_checkpoint(NOOP)").get()?.log ?? 0);
	if (frames <= 0 || !existsSync(`${path}-wal`)) return;
	const pageBytes = Number(database.prepare("PRAGMA page_size").get()?.page_size);
	const bytes = WAL_HEADER_BYTES + frames * (FRAME_HEADER_BYTES + pageBytes);
	// Nobody else writes there meanwhile. Opening and closing the file is harmless: SQLite's locks are on others.
	database.exec("BEGIN IMMEDIATE");
	const wal = openSync(`${path}-wal`, "r+");
	try {
		rewrite(wal, bytes, file);
		file.sync(wal);
	} catch (error) {
		throw new AppError("storage-read-only", NOT_RENEWED_MESSAGE, { cause: error, params: { reason: "not-opened", path } });
	} finally {
		closeSync(wal);
		database.exec("ROLLBACK");
	}
}

function rewrite(wal: number, bytes: number, file: WalFile): void {
	const chunk = new Uint8Array(Math.min(CHUNK_BYTES, bytes));
	for (let at = 0; at < bytes; ) {
		const length = file.read(wal, chunk.subarray(0, Math.min(chunk.length, bytes - at)), at);
		if (length === 0) return;
		try {
			file.write(wal, chunk.subarray(0, length), at);
		} catch (error) {
			// A file system that never writes in place needs space for it. What is there is still synced.
			if (error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT")) return;
			throw error;
		}
		at += length;
	}
}

const NOT_RENEWED_MESSAGE =
	"The disk failed while Rightseat made sure that what it had saved is on it, so it did not start. Nothing was changed. Check the disk, then start Rightseat again.";
