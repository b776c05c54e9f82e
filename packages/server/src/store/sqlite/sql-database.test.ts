import { expect, onTestFinished, test } from "vitest";
import { silentLogger } from "../../core/kernel/logger.ts";
import { openTestStore, temporaryHome } from "../store-harness.ts";
import { createSqlDatabase } from "./sql-database.ts";
import { createSqlThread } from "./sql-thread.ts";
import { loadSqlite } from "./sqlite-loader.ts";
import { createStatementCache, MAX_CACHED_STATEMENTS } from "./statement-cache.ts";

function openTable() {
	const { module } = loadSqlite();
	const native = new module.DatabaseSync(":memory:");
	const errors: string[] = [];
	const sql = createSqlDatabase(native, { ...silentLogger, error: (_fields, message) => errors.push(message) });
	sql.exec("CREATE TABLE notes (text TEXT)");
	const add = (text: string) => sql.prepare("INSERT INTO notes (text) VALUES (?)").run(text);
	const notes = () =>
		sql
			.prepare("SELECT text FROM notes ORDER BY rowid")
			.all()
			.map((row) => row.text);
	return { sql, native, add, notes, errors };
}

test("[ST5] a transaction that throws leaves nothing behind", () => {
	const { sql, add, notes } = openTable();
	expect(() =>
		sql.transaction(() => {
			add("one");
			throw new Error("no");
		}),
	).toThrow("no");
	expect(notes()).toEqual([]);
	expect(sql.transaction(() => add("two").changes)).toBe(1);
	expect(notes()).toEqual(["two"]);
});

test("[ST5] a nested transaction joins: it goes when the outer one goes", () => {
	const { sql, add, notes } = openTable();
	expect(() =>
		sql.transaction(() => {
			sql.transaction(() => add("inner"));
			throw new Error("outer");
		}),
	).toThrow("outer");
	expect(notes()).toEqual([]);
});

test("[ST5] a nested transaction that throws takes back its own part only", () => {
	const { sql, add, notes } = openTable();
	const ran: string[] = [];
	sql.transaction(() => {
		add("before");
		expect(() =>
			sql.transaction(() => {
				add("inner");
				sql.afterCommit(() => ran.push("inner"));
				sql.transaction(() => add("innermost"));
				throw new Error("inner");
			}),
		).toThrow("inner");
		add("after");
		sql.afterCommit(() => ran.push("outer"));
	});
	expect(notes()).toEqual(["before", "after"]);
	expect(ran).toEqual(["outer"]);
});

test("[ST5] after SQLite itself ended a transaction nothing more is written in its name", () => {
	const { sql, native, add, notes } = openTable();
	expect(() =>
		sql.transaction(() => {
			add("one");
			native.exec("ROLLBACK");
			expect(() => sql.prepare("INSERT INTO missing VALUES (1)")).toThrow("no such table");
			add("would be committed alone");
		}),
	).toThrow("no such table");
	expect(notes()).toEqual([]);
	sql.transaction(() => add("next"));
	expect(notes()).toEqual(["next"]);
});

test("[ST6] callbacks run after the outermost commit, in order, and at once outside a transaction", () => {
	const { sql, add, native } = openTable();
	const ran: string[] = [];
	const note = (name: string) => () => ran.push(`${name} ${native.isTransaction ? "inside" : "outside"}`);
	sql.transaction(() => {
		sql.afterCommit(note("first"));
		sql.transaction(() => sql.afterCommit(note("second")));
		sql.afterCommit(note("third"));
		add("x");
		expect(ran).toEqual([]);
	});
	sql.afterCommit(note("fourth"));
	expect(ran).toEqual(["first outside", "second outside", "third outside", "fourth outside"]);
});

test("[ST6] callbacks of a transaction that was rolled back are dropped", () => {
	const { sql } = openTable();
	const ran: string[] = [];
	expect(() =>
		sql.transaction(() => {
			sql.afterCommit(() => ran.push("never"));
			throw new Error("no");
		}),
	).toThrow("no");
	sql.transaction(() => sql.afterCommit(() => ran.push("later")));
	expect(ran).toEqual(["later"]);
});

test("[ST6] a callback that commits again does not overtake those that wait, and one that throws stops none", () => {
	const { sql, add, errors } = openTable();
	const ran: string[] = [];
	sql.transaction(() => {
		sql.afterCommit(() => {
			sql.transaction(() => {
				add("again");
				sql.afterCommit(() => ran.push("of the second commit"));
			});
			throw new Error("broken listener");
		});
		sql.afterCommit(() => ran.push("of the first commit"));
	});
	expect(ran).toEqual(["of the first commit", "of the second commit"]);
	expect(errors).toEqual(["A callback after a commit failed"]);
});

test("[ST7] an asynchronous transaction does not compile, and at run time it is rolled back", () => {
	const { sql, add, notes } = openTable();
	const work = async () => add("half");
	// @ts-expect-error A promise is not a result: the transaction would be committed in pieces.
	const attempt = () => sql.transaction<Promise<unknown>>(work);
	expect(attempt).toThrow("A transaction cannot be asynchronous");
	expect(notes()).toEqual([]);
});

test("[ST8] prepared statements are kept by text, and their number is bounded", () => {
	const prepared: string[] = [];
	const statement = { run: () => ({ changes: 0 }), get: () => undefined, all: () => [] };
	const cache = createStatementCache((sql) => {
		prepared.push(sql);
		return statement;
	}, 2);
	for (const sql of ["a", "b", "a", "c", "a", "b"]) cache.get(sql);
	expect(prepared).toEqual(["a", "b", "c", "b"]);
	expect(cache.size).toBe(2);
	expect(MAX_CACHED_STATEMENTS).toBe(500);
});

test("[ST2] the database runs in WAL, neither syncs nor checkpoints at a commit, checks foreign keys and trusts no schema", async () => {
	const { sql, start } = openTestStore();
	await start();
	const pragma = (name: string) => Object.values(sql.prepare(`PRAGMA ${name}`).get() ?? {})[0];
	const names = ["synchronous", "wal_autocheckpoint", "foreign_keys", "busy_timeout", "trusted_schema"];
	expect(names.map(pragma)).toEqual([1, 0, 1, 100, 0]);
});

test("[ST176] a write waits for a thread of our own that has the lock, and for no other program", () => {
	const { path } = temporaryHome();
	const { module } = loadSqlite();
	const [mine, other] = [new module.DatabaseSync(path, { timeout: 10 }), new module.DatabaseSync(path, { timeout: 10 })];
	onTestFinished(() => {
		mine.close();
		other.close();
	});
	mine.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (a)");
	let isOurs = true;
	const waitForOurs = () => {
		if (isOurs) other.exec("COMMIT");
		return isOurs;
	};
	const sql = createSqlDatabase(mine, silentLogger, { check: () => undefined, fault: () => undefined, waitForOurs });
	const count = () => sql.prepare("SELECT count(*) AS n FROM t").get();
	other.exec("BEGIN IMMEDIATE; INSERT INTO t VALUES (1)");
	sql.prepare("INSERT INTO t VALUES (2)").run();
	other.exec("BEGIN IMMEDIATE; INSERT INTO t VALUES (3)");
	sql.transaction(() => sql.prepare("INSERT INTO t VALUES (4)").run());
	expect(count()).toEqual({ n: 4 });
	isOurs = false;
	other.exec("BEGIN IMMEDIATE");
	expect(() => sql.transaction(() => undefined)).toThrow(expect.objectContaining({ code: "storage-busy", retryable: true }));
	other.exec("COMMIT");
	sql.prepare("INSERT INTO t VALUES (5)").run();
	expect(count()).toEqual({ n: 5 });
});

test("[ST176] the second thread says while it holds the lock, and what it wrote is there when it does not", async () => {
	const { path } = temporaryHome();
	const { sql } = openTestStore({ path });
	// Rests with the lock: long enough for this thread to see it, however busy the machine is.
	const tasks = `tasks.linger = (gate) => writing(() => {
		prepare("INSERT INTO settings (key, value) VALUES ('k', 'v')").run();
		Atomics.wait(gate, 0, 0, 3000);
		return [];
	});`;
	const thread = createSqlThread(loadSqlite(), path, { tasks });
	onTestFinished(() => thread.close());
	expect(thread.waitForCommit()).toBe(false);
	const written = thread.run("linger", new Int32Array(new SharedArrayBuffer(4)));
	await expect.poll(() => thread.waitForCommit(), { interval: 5, timeout: 20_000 }).toBe(true);
	expect(sql.prepare("SELECT value FROM settings WHERE key = 'k'").get()).toEqual({ value: "v" });
	await written;
	await expect(thread.all("INSERT INTO settings (key, value) VALUES ('k', 'again')")).rejects.toThrow("UNIQUE");
	expect(thread.waitForCommit()).toBe(false);
	sql.prepare("DELETE FROM settings").run();
});
