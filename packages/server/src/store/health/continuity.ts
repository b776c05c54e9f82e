import { readFileSync } from "node:fs";
import { uptime } from "node:os";
import type { SqlDatabase } from "../../core/ports/sql.ts";

export type Continuity = ReturnType<typeof createContinuity>;

/**
 * Remembers how the last run ended and on which boot of the machine. A killed server loses nothing that was committed, but after
 * a power cut, on a disk that lied about having written, or after a restore, a `seq` may name another event than a client saw.
 */
export function createContinuity(sql: SqlDatabase, options: { bootId: string; wasRestored: boolean }) {
	const { bootId } = options;
	const read = (key: string) => sql.prepare("SELECT value FROM meta WHERE key = ?").get(key)?.value;
	const write = (key: string, value: string) => sql.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(key, value);
	const shutdown = read("shutdown");
	const wentDown = shutdown === "running" && read("boot_id") !== bootId;
	return {
		/** The last run ended in order, or there was none. */
		wasClean: shutdown !== "running",
		markRunning() {
			sql.transaction(() => {
				// Kept until the epochs are replaced, which may be only after the next crash.
				if (wentDown || shutdown === "backup" || options.wasRestored) write("epochs", "stale");
				write("shutdown", "running");
				write("boot_id", bootId);
			});
		},
		/** Calls `replace` if what clients saw and what is stored may differ. */
		settleEpochs(replace: () => void) {
			sql.transaction(() => {
				if (read("epochs") === undefined) return;
				replace();
				sql.prepare("DELETE FROM meta WHERE key = 'epochs'").run();
			});
		},
		markClean: () => write("shutdown", "clean"),
	};
}

/** Another one after every start of the machine. */
export function readBootId() {
	try {
		return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
	} catch (error) {
		if (!(error instanceof Error)) throw error;
		// Not Linux: the minute of the boot. Off by one it only costs the clients a snapshot.
		return `minute-${Math.round((Date.now() / 1000 - uptime()) / 60)}`;
	}
}
