import { statSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { silentLogger } from "../../core/kernel/logger.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import { CHAT, openChat, openTestStore, temporaryHome } from "../store-harness.ts";
import { createReclaimer, KEPT_FREE_PAGES, makeShrinkable, RECLAIM_LOOK_MS } from "./free-pages.ts";
import { loadSqlite } from "./sqlite-loader.ts";

const KEPT_BYTES = KEPT_FREE_PAGES * 4_096;
const free = ({ sql }: Pick<ReturnType<typeof openChat>, "sql">) => Number(sql.prepare("PRAGMA freelist_count").get()?.freelist_count);

test("[ST173] the space of what was deleted goes back to the disk, step by step, up to a few megabytes", async () => {
	const { path } = temporaryHome();
	const opened = openChat({ path });
	for (let n = 0; n < 100; n += 1) opened.say("x".repeat(120_000));
	opened.sql.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
	const full = statSync(path).size;
	opened.store.conversations.delete(CHAT);
	const left = () => opened.sql.prepare("SELECT count(*) AS n FROM deleted_conversations").get();
	await expect.poll(left, { timeout: 20_000 }).toEqual({ n: 0 });
	expect(free(opened)).toBeGreaterThan(KEPT_FREE_PAGES);
	await opened.clock.advance(RECLAIM_LOOK_MS);
	await expect.poll(() => free(opened), { timeout: 20_000 }).toBeLessThanOrEqual(KEPT_FREE_PAGES);
	opened.sql.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
	expect(full).toBeGreaterThan(2 * KEPT_BYTES);
	expect(statSync(path).size).toBeLessThan(KEPT_BYTES + 1_048_576);
});

test("[ST173] a thread that fails is told, and it is tried again", async () => {
	const opened = openTestStore({ path: temporaryHome().path });
	opened.sql.exec(`CREATE TABLE bulk (b); INSERT INTO bulk VALUES (zeroblob(${2 * KEPT_BYTES})); DROP TABLE bulk`);
	const warnings: string[] = [];
	const asked: string[] = [];
	const thread = {
		async all(text: string) {
			asked.push(text);
			throw new RangeError("no");
		},
	};
	const logger = { ...silentLogger, warn: (_fields: object, message: string) => void warnings.push(message) };
	const reclaimer = createReclaimer({ sql: opened.sql, thread, clock: opened.clock, logger });
	await opened.clock.advance(2 * RECLAIM_LOOK_MS);
	expect(asked).toEqual(["PRAGMA incremental_vacuum(128)", "PRAGMA incremental_vacuum(128)"]);
	expect(warnings).toHaveLength(2);
	reclaimer.close();
	await opened.clock.advance(2 * RECLAIM_LOOK_MS);
	expect(asked).toHaveLength(2);
});

test("[ST222] a database of an earlier version is rewritten once, so that it shrinks", async () => {
	const { path } = temporaryHome();
	const engine = loadSqlite();
	const old = new engine.module.DatabaseSync(path);
	old.exec("CREATE TABLE kept (a); INSERT INTO kept VALUES (7)");
	old.close();
	const { sql } = openTestStore({ path });
	expect(sql.prepare("PRAGMA auto_vacuum").get()).toEqual({ auto_vacuum: 2 });
	expect(sql.prepare("SELECT a FROM kept").get()).toEqual({ a: 7 });
	const before = sql.prepare("PRAGMA data_version").get();
	makeShrinkable({ sql, directory: dirname(path), logger: silentLogger, begin: () => undefined });
	expect(sql.prepare("PRAGMA data_version").get()).toEqual(before);
});

test("[ST203] the copy that rewriting a database needs is on the disk beside it, not in memory", () => {
	const { path, home } = temporaryHome();
	const old = new (loadSqlite().module.DatabaseSync)(path);
	old.exec("CREATE TABLE kept (a); INSERT INTO kept VALUES (7)");
	old.close();
	const store = () => Number(sql.prepare("PRAGMA temp_store").get()?.temp_store);
	const found: unknown[] = [];
	const { sql } = openTestStore({ path });
	const watched: SqlDatabase = {
		...sql,
		// As if it had not been rewritten at the start.
		prepare: (text) => (text === "PRAGMA auto_vacuum" ? { ...sql.prepare(text), get: () => ({ auto_vacuum: 0 }) } : sql.prepare(text)),
		exec(text) {
			if (text.includes("VACUUM")) found.push(store(), sql.prepare("PRAGMA temp_store_directory").get()?.temp_store_directory);
			sql.exec(text);
		},
	};
	makeShrinkable({ sql: watched, directory: home, logger: silentLogger, begin: (bytes) => found.push(bytes > 0) });
	// An engine that does not know the second setting uses the machine's directory for temporary files.
	expect([
		[true, FILE, home],
		[true, FILE, undefined],
	]).toContainEqual(found);
	expect(store()).toBe(MEMORY);
});
const [FILE, MEMORY] = [1, 2];
