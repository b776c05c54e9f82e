import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { silentLogger } from "../../core/kernel/logger.ts";
import { temporaryHome } from "../store-harness.ts";
import { CHECKPOINT_LOOK_MS, createCheckpointer } from "./checkpointer.ts";
import { createDurability } from "./durability.ts";
import { openConnection } from "./open-connection.ts";
import { createSqlThread } from "./sql-thread.ts";
import { loadSqlite } from "./sqlite-loader.ts";

test("[ST103] the -wal is folded in by another thread and begins anew, although the log never rests", async () => {
	const { path } = temporaryHome();
	const engine = loadSqlite();
	const { database, close } = openConnection(engine, path);
	database.exec("CREATE TABLE meta (key TEXT PRIMARY KEY, value); CREATE TABLE filled (bytes BLOB)");
	const syncer = { sync: (done: () => void) => setImmediate(done), close: async () => undefined };
	const durability = createDurability({ syncer, logger: silentLogger, onFailure: () => undefined });
	const clock = createFakeClock();
	const thread = createSqlThread(engine, path);
	const walBytes = async () => statSync(`${path}-wal`).size;
	const checkpointer = createCheckpointer({ thread, durability, walBytes, clock, logger: silentLogger, pages: 50 });
	let begunAnew = 0;
	/** As the log does: whenever the disk is free. */
	const write = () => {
		if (durability.busy() || begunAnew === 3) return;
		database.exec("INSERT INTO filled VALUES (zeroblob(8000))");
		durability.committed();
	};
	durability.onFree(() => setImmediate(write));
	write();
	const pages = () => Number(database.prepare("PRAGMA wal_checkpoint(NOOP)").get()?.log);
	for (let before = 0; begunAnew < 3; before = pages()) {
		await clock.advance(CHECKPOINT_LOOK_MS);
		await new Promise((resolve) => setImmediate(resolve));
		if (pages() < before) begunAnew += 1;
	}
	checkpointer.close();
	await thread.close();
	close();
});

test("[ST601] after a failed sync nothing is folded in", async () => {
	const asked: string[] = [];
	const all = async (sql: string) => {
		asked.push(sql);
		return [];
	};
	const thread = { all, syncFile: async () => undefined };
	const fails = { now: false };
	const syncer = { sync: (done: (error?: Error) => void) => done(fails.now ? new Error("EIO") : undefined), close: async () => undefined };
	const durability = createDurability({ syncer, logger: silentLogger, onFailure: () => undefined });
	const clock = createFakeClock();
	const checkpointer = createCheckpointer({ thread, durability, walBytes: async () => 1_000_000, clock, logger: silentLogger, pages: 1 });
	durability.committed();
	await clock.advance(CHECKPOINT_LOOK_MS);
	expect(asked).toEqual(["PRAGMA wal_checkpoint(NOOP)"]);
	fails.now = true;
	durability.committed();
	await clock.advance(CHECKPOINT_LOOK_MS);
	expect(asked).toEqual(["PRAGMA wal_checkpoint(NOOP)"]);
	checkpointer.close();
});

test("[ST103] a thread that is closed lets the statement that runs finish and refuses what follows", async () => {
	const { path } = temporaryHome();
	const thread = createSqlThread(loadSqlite(), path);
	const running = thread.all("SELECT 1 AS one");
	await expect(running).resolves.toEqual([{ one: 1 }]);
	await expect(thread.all("SELECT broken FROM nowhere")).rejects.toThrow("nowhere");
	await thread.close();
	await expect(thread.all("SELECT 1")).rejects.toThrow("closed");
});

test("[ST204] a process that closes the storage while the second thread is inside SQLite waits for it", async () => {
	const code = await runScript(`
		void thread.all(${JSON.stringify(COUNT)});
		await thread.close();
		process.exit(7);
	`);
	expect(code).toEqual({ code: 7, signal: null });
});

test("[ST108] a process that ends while the second thread is inside SQLite ends with its own exit code", async () => {
	const code = await runScript(`
		for (let round = 0; round < 20; round += 1) void thread.all(${JSON.stringify(COUNT)}).catch(() => undefined);
		setTimeout(() => process.exit(7), 20);
	`);
	expect(code).toEqual({ code: 7, signal: null });
});

const COUNT = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 300000) SELECT count(*) FROM n";

/** How a process ends that has a `thread` and nothing else that would keep it. */
async function runScript(work: string): Promise<unknown> {
	const { path } = temporaryHome();
	const file = (name: string) => JSON.stringify(pathToFileURL(`${import.meta.dirname}/${name}`).href);
	const script = `
		const { createSqlThread } = await import(${file("sql-thread.ts")});
		const { loadSqlite } = await import(${file("sqlite-loader.ts")});
		const thread = createSqlThread(loadSqlite(), ${JSON.stringify(path)});
		await thread.all("SELECT 1");
		${work}
	`;
	const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], { stdio: "ignore" });
	return new Promise((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
}
