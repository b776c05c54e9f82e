import { copyFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { silentLogger } from "../../core/kernel/logger.ts";
import { openConnection, SERVING_MS } from "../sqlite/open-connection.ts";
import { createSqlDatabase } from "../sqlite/sql-database.ts";
import { loadSqlite } from "../sqlite/sqlite-loader.ts";
import { openTestStore, temporaryHome } from "../store-harness.ts";
import { createRun } from "./run-marker.ts";
import { createHealthMonitor, PROBE_INTERVAL_MS } from "./storage-health.ts";

const FULL = Object.assign(new Error("database or disk is full"), { errcode: 13 });

test("[ST610] a server that started on a full disk writes nothing before the file says that it is in use", async () => {
	const { path } = temporaryHome();
	await openTestStore({ path }).close();
	const engine = loadSqlite();
	const connection = openConnection(engine, path);
	onTestFinished(connection.close);
	connection.waitAtMost(SERVING_MS);
	const clock = createFakeClock();
	const health = createHealthMonitor({ clock, logger: silentLogger, probe: connection.probe, onDamage: () => undefined });
	onTestFinished(health.close);
	const sql = createSqlDatabase(connection.database, silentLogger, health.gate);
	const write = () => sql.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('test', 'x')").run();
	/** What the next start would find in the file alone. */
	const markInFile = () => {
		copyFileSync(path, `${path}.copy`);
		const copy = new engine.module.DatabaseSync(`${path}.copy`);
		const row = copy.prepare("SELECT value FROM meta WHERE key = 'shutdown'").get();
		copy.close();
		return row?.value;
	};

	health.gate.fault(FULL);
	createRun({ sql, health, logger: silentLogger, bootId: "boot", wasRestored: false, saysRunning: false }).start(() => undefined);
	const reader = new engine.module.DatabaseSync(path, { readOnly: true });
	reader.exec("BEGIN; SELECT count(*) FROM meta");
	await clock.advance(PROBE_INTERVAL_MS);
	expect(health.current()).toMatchObject({
		state: "read-only",
		message: expect.stringContaining("Close that program"),
		params: { reason: "reader" },
	});
	expect(write).toThrow(expect.objectContaining({ code: "storage-read-only", retryable: true }));
	expect(markInFile()).toBe("clean");

	reader.close();
	await clock.advance(PROBE_INTERVAL_MS);
	expect(health.current()).toEqual({ state: "ok" });
	expect(markInFile()).toBe("running");
	write();
});
