import type { Params } from "@rightseat/protocol/model/params";
import type { Cancel, Clock } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import { SYNC_FAILED_MESSAGE } from "../sqlite/durability.ts";
import type { WriteGate } from "../sqlite/sql-database.ts";
import { READ_ONLY_MESSAGES, sqlFault } from "../sqlite/sql-errors.ts";

export interface StorageHealth {
	/** `read-only`: reads go on, writes fail with `storage-read-only` until the disk recovers. `damaged`: the same until a restart. */
	state: "ok" | "read-only" | "damaged";
	/** A sentence for people; absent while all is well. */
	message?: string;
	/** Which sentence that is, and its values, for readers of another language. */
	code?: string;
	params?: Params;
	/** What had to be done at start; stays until the next start. */
	recovery?: StorageRecovery;
	/** The newest backup made by this process, or why the last try failed. */
	backup?: { at: number; path: string } | { at: number; error: string };
}
export interface StorageRecovery {
	kind: "restored" | "started-empty";
	message: string;
	/** `without-wal` (the newest changes may be missing), `backup` with the time of the backup `at`, or `empty`. */
	params: Params;
	/** Where the unusable files are now; they are never deleted. */
	movedTo: string[];
}

/** How often a read-only storage is tried again. */
export const PROBE_INTERVAL_MS = 3_000;

export type HealthMonitor = ReturnType<typeof createHealthMonitor>;

/** Watches what SQLite reports, closes the gate for writes while they cannot succeed, and opens it again when they can. */
export function createHealthMonitor(deps: { clock: Clock; logger: Logger; probe: () => void; onDamage: () => void }) {
	const { clock, logger, probe } = deps;
	const listeners = new Set<(health: StorageHealth) => void>();
	let health: StorageHealth = { state: "ok" };
	let cancelProbe: Cancel | undefined;

	const set = (change: Partial<StorageHealth>) => {
		health = { ...health, ...change };
		if (health.state === "ok") {
			delete health.message;
			delete health.code;
			delete health.params;
		}
		for (const listener of listeners) listener(health);
	};
	const tryAgain = () => {
		try {
			probe();
		} catch (error) {
			logger.debug({ err: error }, "The storage still cannot be written");
			cancelProbe = clock.after(PROBE_INTERVAL_MS, tryAgain);
			return;
		}
		cancelProbe = undefined;
		logger.info({}, "The storage can be written again");
		set({ state: "ok" });
	};

	const reportDamage = (error?: unknown) => {
		if (health.state === "damaged") return;
		cancelProbe?.();
		logger.error({ err: error }, "The database is damaged");
		set({ state: "damaged", message: DAMAGED_MESSAGE, ...saidAs("damaged") });
		try {
			deps.onDamage();
		} catch (cause) {
			logger.error({ err: cause }, "The damage could not be noted for the next start");
		}
	};

	/** The kernel may have dropped what it could not write and say "ok" the next time, so only a start, which reads the -wal again, mends it. */
	const reportSyncFailure = (error: Error) => {
		cancelProbe?.();
		logger.error({ err: error }, "The database could not be synced");
		if (health.state !== "damaged") set({ state: "read-only", message: SYNC_FAILED_MESSAGE, ...saidAs("sync-failed") });
	};

	const gate: WriteGate = {
		check() {
			if (health.state === "ok") return;
			throw new AppError("storage-read-only", health.message ?? READ_ONLY_MESSAGES.disk, {
				retryable: health.state === "read-only",
				params: health.params,
			});
		},
		fault(error) {
			const fault = sqlFault(error);
			if (fault === "damaged") reportDamage(error);
			if ((fault === "full" || fault === "read-only" || fault === "disk") && health.state === "ok") {
				logger.error({ err: error }, "The storage cannot be written");
				set({ state: "read-only", message: READ_ONLY_MESSAGES[fault], ...saidAs(fault) });
				cancelProbe = clock.after(PROBE_INTERVAL_MS, tryAgain);
			}
		},
	};
	/** Stays read-only although the disk works again: another program keeps this one from what it has to write first. Tried again like a full disk. */
	const holdBack = (error: Error) => {
		logger.warn({ err: error }, "The storage waits for another program");
		set({ state: "read-only", message: READ_ONLY_MESSAGES.reader, ...saidAs("reader") });
		cancelProbe = clock.after(PROBE_INTERVAL_MS, tryAgain);
	};

	return {
		gate,
		current: () => health,
		set,
		holdBack,
		reportDamage,
		reportSyncFailure,
		listen(listener: (health: StorageHealth) => void) {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
		close() {
			cancelProbe?.();
			listeners.clear();
		},
	};
}

/** The code and the reason under which a reader finds the sentence in its own language. */
const saidAs = (reason: string) => ({ code: "storage-read-only", params: { reason } });

const DAMAGED_MESSAGE =
	"The database is damaged, so nothing new is saved. Restart Rightseat: it keeps the damaged file aside and restores the newest backup.";
