import type { Cancel, Clock } from "../../core/kernel/clock.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import type { SqlThread } from "./sql-thread.ts";

/** How often the free pages are counted. */
export const RECLAIM_LOOK_MS = 60_000;
/** Pages that stay free, 4 MB: the log takes and gives back as much all the time. */
export const KEPT_FREE_PAGES = 1_000;
/** Given back in one transaction: a few milliseconds. */
const STEP_PAGES = 128;
/** A database up to this size is rewritten once at a start, so that it can shrink; a larger one by hand, when there is time for it (docs/storage.md). */
const MAX_REWRITE_BYTES = 1_073_741_824;

export interface Reclaimer {
	close(): void;
}

/** Gives the space of what was deleted back to the disk, from the second thread, step by step. */
export function createReclaimer(deps: { sql: SqlDatabase; thread: Pick<SqlThread, "all">; clock: Clock; logger: Logger }): Reclaimer {
	const { sql, thread, clock, logger } = deps;
	let closed = false;
	let cancel: Cancel = clock.after(RECLAIM_LOOK_MS, look);

	// Counted here: a server that deletes little never needs the second thread, nor its memory.
	const surplus = () => pragma(sql, "freelist_count") - KEPT_FREE_PAGES;
	function look(): void {
		reclaim()
			.catch((error: unknown) => {
				if (!closed) logger.warn({ err: error }, "The space of what was deleted could not be given back");
			})
			.finally(() => {
				if (!closed) cancel = clock.after(RECLAIM_LOOK_MS, look);
			});
	}
	async function reclaim(): Promise<void> {
		if (pragma(sql, "auto_vacuum") !== INCREMENTAL) return;
		for (let before = Number.POSITIVE_INFINITY, left = surplus(); left > 0 && left < before && !closed; before = left, left = surplus()) {
			await thread.all(`PRAGMA incremental_vacuum(${Math.min(STEP_PAGES, left)})`);
		}
	}
	return {
		close() {
			closed = true;
			cancel();
		},
	};
}

/** Lets a database of an earlier version shrink from now on. It is rewritten for that, at once or not at all; a disk without room for it leaves it as it is. */
export function makeShrinkable(deps: {
	sql: SqlDatabase;
	/** Where the database is; what the rewriting needs of the disk meanwhile goes there too. */
	directory: string;
	logger: Logger;
	/** Called before it is rewritten, with its size. */
	begin(bytes: number): void;
}): void {
	const { sql, logger } = deps;
	if (pragma(sql, "auto_vacuum") === INCREMENTAL) return;
	const bytes = databaseBytes(sql);
	if (bytes > MAX_REWRITE_BYTES) {
		logger.warn({ bytes }, "The database does not shrink by itself; docs/storage.md has the command that changes that");
		return;
	}
	deps.begin(bytes);
	try {
		// A copy of everything is made on the way, and elsewhere it is in memory: a small machine would end a start that needs a gigabyte, every time.
		// On disk it has no name and can be read by nobody else.
		sql.exec(`PRAGMA temp_store = FILE; PRAGMA temp_store_directory = '${deps.directory.replaceAll("'", "''")}'`);
		sql.exec("PRAGMA auto_vacuum = INCREMENTAL; VACUUM");
	} catch (error) {
		logger.warn({ err: error }, "The database could not be rewritten so that it shrinks; the next start tries again");
	} finally {
		sql.prepare("PRAGMA temp_store = MEMORY").get();
	}
}

/** What the database takes of the disk, without its write-ahead file. */
export function databaseBytes(sql: SqlDatabase): number {
	return pragma(sql, "page_count") * pragma(sql, "page_size");
}

const INCREMENTAL = 2;

function pragma(sql: SqlDatabase, name: string): number {
	return Number(sql.prepare(`PRAGMA ${name}`).get()?.[name]);
}
