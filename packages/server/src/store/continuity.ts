import { readFileSync } from "node:fs";
import { uptime } from "node:os";
import type { SqlDatabase } from "../core/ports/sql.ts";

/**
 * Remembers whether the last run ended in order and on which boot of the machine. Kill alone loses nothing that was committed,
 * but a power cut may, if the disk lied about having written: then a `seq` could name another event than a client has seen.
 */
export function createContinuity(sql: SqlDatabase, bootId = readBootId()) {
	const read = (key: string) => sql.prepare("SELECT value FROM meta WHERE key = ?").get(key)?.value;
	const write = (key: string, value: string) => sql.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(key, value);
	const stopped = read("shutdown");
	const isUncertain = stopped !== undefined && stopped !== "clean" && read("boot_id") !== bootId;
	return {
		/** The machine went down under the server: what clients saw and what is stored may differ. */
		isUncertain,
		/** The last run ended in order, or there was none. */
		wasClean: stopped === undefined || stopped === "clean",
		markRunning() {
			sql.transaction(() => {
				write("shutdown", "running");
				write("boot_id", bootId);
			});
		},
		markClean: () => write("shutdown", "clean"),
	};
}

function readBootId() {
	try {
		return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
	} catch (error) {
		if (!(error instanceof Error)) throw error;
		// Not Linux: the minute of the boot. Off by one it only costs the clients a snapshot.
		return `minute-${Math.round((Date.now() / 1000 - uptime()) / 60)}`;
	}
}
