import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../core/kernel/clock.ts";
import { PATIENT_MS, SERVING_MS } from "./sqlite/open-connection.ts";
import { isSafeSqlite, loadSqlite } from "./sqlite/sqlite-loader.ts";
import { CHAT, conversationRow, openChat, openTestStore, temporaryHome } from "./store-harness.ts";

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

test("[ST1] a SQLite that can corrupt its files is refused", () => {
	expect(["3.51.2", "3.9.9", "2.99.0", "0"].map(isSafeSqlite)).toEqual([false, false, false, false]);
	expect(["3.51.3", "3.53.0", "4.0.0"].map(isSafeSqlite)).toEqual([true, true, true]);
	expect(loadSqlite({ node: "24.0.0", sqlite: "3.49.1" }).specifier).toContain("photostructure");
	expect(loadSqlite().module.DatabaseSync).toBeTypeOf("function");
});

test("[ST2] the database in a file runs in WAL", () => {
	const { sql } = openTestStore(temporaryHome());
	expect(sql.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
});

test("[ST3] only the owner can read the database and what belongs to it, also one that was open to others", async () => {
	const { home, path } = temporaryHome();
	const first = openChat({ path });
	const backup = await first.backupNow();
	const files = [path, `${path}-wal`, `${path}-shm`, `${path}.lock`, `${path}.pid`, backup];
	expect(files.map(modeOf)).toEqual(files.map(() => "600"));
	expect(modeOf(`${home}/backups`)).toBe("700");
	await first.close();
	chmodSync(path, 0o644);
	openChat({ path });
	expect([path, `${path}-wal`, `${path}-shm`].map(modeOf)).toEqual(["600", "600", "600"]);
});

test("[ST4] a second server on the same home is refused and told which process has it", async () => {
	const { path } = temporaryHome();
	const first = openTestStore({ path });
	const second = () => openTestStore({ path });
	expect(second).toThrow(expect.objectContaining({ code: "storage-busy", message: expect.stringContaining(`process ${process.pid}`) }));
	// The refused one must not have taken the first one's lock with it.
	expect(second).toThrow("Another Rightseat server");
	await first.close();
	expect(existsSync(`${path}.pid`)).toBe(false);
	openTestStore({ path });
});

test("[ST4] the lock of a killed server is free at once, even if its process id is in use again", async () => {
	const { path } = temporaryHome();
	await openTestStore({ path }).close();
	const { specifier } = loadSqlite();
	const holder = spawn(process.execPath, [
		"-e",
		`const database = new (require(${JSON.stringify(specifier)}).DatabaseSync)(${JSON.stringify(`${path}.lock`)});
		database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE"); console.log("held"); setInterval(() => database, 1000);`,
	]);
	await once(holder.stdout, "data");
	writeFileSync(`${path}.pid`, `${process.pid}\n`);
	expect(() => openTestStore({ path })).toThrow("Another Rightseat server");
	holder.kill("SIGKILL");
	await once(holder, "exit");
	openTestStore({ path });
	expect(readFileSync(`${path}.pid`, "utf8")).toBe(`${process.pid}\n`);
});

test("[ST36] a clean stop and a killed server keep the epochs; a machine that went down replaces them", async () => {
	const { path } = temporaryHome();
	const epochAfter = async (bootId: string, clean: boolean) => {
		const opened = openChat({ path, bootId, ids: { next: () => `epoch-${bootId}` } });
		const { wasClean } = opened;
		const found = opened.store.conversations.find(CHAT)?.epoch;
		await opened.close();
		if (!clean) markUnclean(path);
		return [wasClean, found];
	};
	expect(await epochAfter("boot-1", true)).toEqual([true, "epoch-1"]);
	expect(await epochAfter("boot-2", false)).toEqual([true, "epoch-1"]);
	expect(await epochAfter("boot-2", false)).toEqual([false, "epoch-1"]);
	expect(await epochAfter("boot-3", true)).toEqual([false, "epoch-boot-3"]);
	expect(await epochAfter("boot-4", true)).toEqual([true, "epoch-boot-3"]);
});

test("[ST38] [ST190] a database that another program holds is busy, and trying again may work", async () => {
	const { path } = temporaryHome();
	const { store, sql, start } = openChat({ path });
	const timeout = () => sql.prepare("PRAGMA busy_timeout").get()?.timeout;
	expect(timeout(), "[ST190]").toBe(PATIENT_MS);
	await start();
	expect(timeout()).toBe(SERVING_MS);
	const other = new (loadSqlite().module.DatabaseSync)(path);
	other.exec("BEGIN IMMEDIATE");
	expect(() => store.conversations.update(CHAT, { title: "x" })).toThrow(
		expect.objectContaining({ code: "storage-busy", retryable: true }),
	);
	other.exec("ROLLBACK");
	other.close();
	store.conversations.update(CHAT, { title: "y" });
	expect(store.conversations.find(CHAT)?.title).toBe("y");
});

test("[ST43] the newest page of 10,000 messages and its neighbours are read by index, within 50 ms", () => {
	const { store, sql, say } = openChat(temporaryHome());
	store.transaction(() => {
		for (let n = 0; n < 10_000; n++) say(`message ${n}`);
	});
	const read = () => {
		const started = systemClock.now();
		expect(store.messages.page(CHAT, { limit: 50 }).messages).toHaveLength(50);
		store.messages.queued(CHAT);
		store.messages.pendingContext(CHAT);
		return systemClock.now() - started;
	};
	// The fastest of a few: a busy machine interrupts some of them, but a read that takes this long always takes it.
	expect(Math.min(...Array.from({ length: 5 }, read))).toBeLessThan(50);
	const plan = (query: string) =>
		sql
			.prepare(`EXPLAIN QUERY PLAN ${query}`)
			.all()
			.map((row) => row.detail)
			.join("; ");
	expect(plan("SELECT id FROM messages WHERE conversation_id = 'x' AND position < 9 ORDER BY position DESC, key DESC LIMIT 9")).toMatch(
		/^SEARCH messages USING INDEX messages_by_position \(conversation_id=\? AND position<\?\)$/,
	);
	expect(plan("SELECT id FROM messages WHERE conversation_id = 'x' AND delivery = 'queued' ORDER BY position, key")).toMatch(
		/^SEARCH messages USING INDEX messages_queued \(conversation_id=\?\)$/,
	);
	expect(plan("SELECT * FROM conversations ORDER BY pinned DESC, updated_at DESC, id DESC LIMIT 9")).toMatch(
		/USING INDEX conversations_by_activity$/,
	);
});

/** As a killed server leaves it. */
function markUnclean(path: string) {
	const raw = new (loadSqlite().module.DatabaseSync)(path);
	raw.exec("UPDATE meta SET value = 'running' WHERE key = 'shutdown'; PRAGMA wal_checkpoint(TRUNCATE)");
	raw.close();
}

test("[ST12] what was stored is there after a restart", async () => {
	const { path } = temporaryHome();
	const first = openChat({ path });
	first.say("kept");
	await first.close();
	await first.close();
	const { store, health } = openTestStore({ path });
	expect(store.conversations.find(CHAT)).toEqual(conversationRow());
	expect(store.messages.page(CHAT, { limit: 5 }).messages).toHaveLength(1);
	expect(health()).toEqual({ state: "ok" });
});

test("[ST39] a database that cannot be opened for writing is refused with what to check", () => {
	const { home, path } = temporaryHome();
	mkdirSync(path);
	const refusal = expect.objectContaining({
		code: "storage-read-only",
		message: expect.stringMatching(/cannot be opened for writing. Check that/),
	});
	expect(() => openTestStore({ path })).toThrow(refusal);
	writeFileSync(join(home, "file"), "");
	expect(() => openTestStore({ path: join(home, "file", "rightseat.db") })).toThrow(refusal);
});
