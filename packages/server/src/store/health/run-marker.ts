import { AppError } from "../../core/kernel/errors.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import { createContinuity } from "./continuity.ts";
import type { HealthMonitor } from "./storage-health.ts";

export type Run = ReturnType<typeof createRun>;

/**
 * One run of the server on its database: says so in the file before anything else is written, and at the end that it was left in
 * order. With a full disk the server starts all the same, to show what it has, and catches up when there is space.
 */
export function createRun(deps: {
	sql: SqlDatabase;
	health: HealthMonitor;
	logger: Logger;
	bootId: string;
	wasRestored: boolean;
	saysRunning: boolean;
}) {
	const { sql, health, logger } = deps;
	const continuity = createContinuity(sql, deps);
	let replaceEpochs: (() => void) | undefined;
	let isMarked = false;
	let isSettled = false;

	const proceed = () => {
		try {
			if (!isMarked) {
				continuity.markRunning();
				// Into the file itself: what is found in a -wal later is trusted because of this mark. A file that a killed server
				// left has it already; then whoever still reads that file does not keep this one from starting.
				if (deps.saysRunning) foldWhatCanBe(sql);
				else checkpoint(sql);
				isMarked = true;
			}
			if (replaceEpochs !== undefined && !isSettled) {
				continuity.settleEpochs(replaceEpochs);
				isSettled = true;
			}
		} catch (error) {
			if (!(error instanceof AppError && error.code === "storage-read-only")) throw error;
			logger.error({ err: error }, "The storage cannot be written; going on with what can be read");
		}
	};

	health.listen(({ state }) => {
		if (state !== "ok" || isSettled) return;
		try {
			proceed();
		} catch (error) {
			if (!(error instanceof AppError && error.code === "storage-busy")) throw error;
			// Nothing is written before the mark is in the file: without it the next start would not trust what is only in the -wal.
			health.holdBack(error);
		}
	});
	proceed();
	return {
		wasClean: continuity.wasClean,
		/** Goes on once the schema is up to date. */
		start(replace: () => void) {
			replaceEpochs = replace;
			proceed();
		},
		/** Throws when the mark cannot be made; the next start then takes this run for one that was killed. */
		end() {
			// Before the mark: cut short in the middle of copying, a file that says "clean" would be used without its -wal.
			checkpoint(sql);
			continuity.markClean();
			checkpoint(sql);
		},
	};
}

/** Waits for nobody. What a failed sync may have left in the page cache only is on the disk after it. */
function foldWhatCanBe(sql: SqlDatabase) {
	sql.prepare("PRAGMA wal_checkpoint(PASSIVE)").get();
}

function checkpoint(sql: SqlDatabase) {
	const row = sql.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
	if (row?.busy === 1)
		throw new AppError("storage-busy", "Another program is reading the database. Close it, then start again.", {
			params: { reason: "reader" },
		});
}
