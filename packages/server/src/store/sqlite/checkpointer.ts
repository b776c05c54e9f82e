import type { Cancel, Clock } from "../../core/kernel/clock.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { SqlRow } from "../../core/ports/sql.ts";
import type { Durability } from "./durability.ts";
import type { SqlThread } from "./sql-thread.ts";

/** The -wal is folded into the database from this many pages on: about 16 MB. */
const CHECKPOINT_PAGES = 4_000;
const PAGE_BYTES = 4_096;
/** How often its size is looked at while something is written. */
export const CHECKPOINT_LOOK_MS = 500;

export interface Checkpointer {
	close(): void;
}

/**
 * Folds the -wal into the database from the second thread. A passive checkpoint never waits for the writer, but can also never catch
 * up with one that goes on; so the log pauses for the last few pages, and then the -wal begins anew.
 */
export function createCheckpointer(deps: {
	thread: Pick<SqlThread, "all" | "syncFile">;
	durability: Pick<Durability, "hold" | "onFree" | "hasFailed">;
	/** Size of the file, which never shrinks while it is in use. A server that writes little never needs the second thread, nor its memory. */
	walBytes(): Promise<number>;
	clock: Clock;
	logger: Logger;
	pages?: number;
}): Checkpointer {
	const { thread, durability, clock, logger, pages = CHECKPOINT_PAGES } = deps;
	let cancel: Cancel | undefined;
	let working = false;
	let closed = false;
	const off = durability.onFree(() => {
		if (cancel === undefined && !working && !closed) cancel = clock.after(CHECKPOINT_LOOK_MS, look);
	});

	function look(): void {
		cancel = undefined;
		working = true;
		checkpoint()
			.catch((error: unknown) => {
				// The -wal grows until it works again; nothing is lost by it.
				if (!closed) logger.warn({ err: error }, "The write-ahead file could not be folded into the database");
			})
			.finally(() => {
				working = false;
			});
	}
	async function checkpoint(): Promise<void> {
		if ((await deps.walBytes()) < pages * PAGE_BYTES) return;
		// What could not be synced must not be in the database and not in the -wal: the next start writes that anew first.
		if (durability.hasFailed()) return;
		const { left } = await fold("NOOP");
		if (left < pages) return;
		await fold("PASSIVE");
		// A checkpoint that the writer has overtaken leaves this to the next one, and there the log waits for it.
		await thread.syncFile();
		if (closed) return;
		const release = durability.hold();
		try {
			if ((await fold("PASSIVE")).left > 0 || closed) return;
			// The first write after that begins the -wal anew and syncs its header; here, so that the main thread never does.
			await thread.all("INSERT OR REPLACE INTO meta (key, value) VALUES ('checkpointed', ?)", String(clock.now()));
		} finally {
			release();
		}
	}
	async function fold(mode: "NOOP" | "PASSIVE"): Promise<{ left: number }> {
		const [row] = await thread.all(`PRAGMA wal_checkpoint(${mode})`);
		return { left: numberOf(row, "log") - numberOf(row, "checkpointed") };
	}

	return {
		close() {
			closed = true;
			off();
			cancel?.();
		},
	};
}

function numberOf(row: SqlRow | undefined, column: string): number {
	return Number(row?.[column] ?? 0);
}
