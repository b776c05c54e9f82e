import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadSqlite } from "../sqlite/sqlite-loader.ts";
import { CHAT, openChat, openTestStore, temporaryHome, zeroPageWith } from "../store-harness.ts";

const moved = (home: string) => readdirSync(home).filter((name) => /\.damaged-\w+$/.test(name));

/** Overwrites the middle of a file, as a dying disk would. */
function damage(path: string) {
	const bytes = readFileSync(path);
	bytes.fill(0xa5, 4096, bytes.length - 4096);
	writeFileSync(path, bytes);
}

async function storeWithBackup() {
	const place = temporaryHome();
	const opened = openChat(place);
	opened.say("in the backup");
	const backup = await opened.backupNow();
	opened.say("after the backup");
	await opened.close();
	return { ...place, backup };
}

test("[ST33] a damaged database is moved aside and the newest sound backup takes its place, with new epochs", async () => {
	const { home, path, backups, backup } = await storeWithBackup();
	// A newer backup that is damaged itself must be passed over.
	copyFileSync(backup, join(backups, "rightseat-29990101T000000000Z.db"));
	damage(join(backups, "rightseat-29990101T000000000Z.db"));
	damage(path);
	const bytes = readFileSync(path);

	const { store, health } = openTestStore({ path });
	expect(store.messages.page(CHAT, { limit: 9 }).messages.map((message) => message.content)).toEqual(["in the backup"]);
	expect(store.conversations.find(CHAT)?.epoch).not.toBe("epoch-1");
	expect(health()).toEqual({
		state: "ok",
		recovery: {
			kind: "restored",
			message: expect.stringContaining("went back to the backup"),
			movedTo: expect.arrayContaining([expect.stringMatching(/\.damaged-[^-]*$/)]),
			params: { reason: "backup", at: expect.stringMatching(/^\d{4}-.*Z$/) },
		},
	});
	expect(moved(home).map((name) => readFileSync(join(home, name)))).toEqual([bytes]);
});

test("[ST33] the backup outlives the restore", async () => {
	const { path, backup } = await storeWithBackup();
	damage(path);
	await openTestStore({ path }).close();
	expect(statSync(backup).size).toBeGreaterThan(0);
});

test("[ST34] without a backup a damaged database is kept aside and the server starts empty and says so", () => {
	const { home, path } = temporaryHome();
	writeFileSync(path, "This is not a database, but it is long enough to be taken for one. ".repeat(100));
	const { store, health } = openTestStore({ path });
	expect(store.conversations.list({ limit: 1 }).rows).toEqual([]);
	expect(health().recovery).toMatchObject({ kind: "started-empty", message: expect.stringContaining("started empty") });
	expect(moved(home)).toHaveLength(1);
});

test("[ST34] a database cut short is noticed too", async () => {
	const { home, path, backups } = await storeWithBackup();
	rmSync(backups, { recursive: true });
	truncateSync(path, 3 * 4096 + 100);
	expect(openTestStore({ path }).health().recovery?.kind).toBe("started-empty");
	expect(moved(home)).toHaveLength(1);
});

test("[ST35] a write-ahead file without its database is kept, not deleted", async () => {
	const { home, path, backups } = await storeWithBackup();
	rmSync(backups, { recursive: true });
	rmSync(path);
	writeFileSync(`${path}-wal`, "what a server wrote last");
	const { health } = openTestStore({ path });
	expect(health().recovery?.kind).toBe("started-empty");
	const kept = readdirSync(home).filter((name) => /\.damaged-\w+-wal$/.test(name));
	expect(kept.map((name) => readFileSync(join(home, name), "utf8"))).toEqual(["what a server wrote last"]);
});

test("[ST35] a write-ahead file of another database does not spoil this one", async () => {
	const source = await storeWithBackup();
	const other = temporaryHome();
	const opened = openChat(other);
	opened.store.transaction(() => {
		for (let n = 0; n < 500; n++) opened.say(`foreign ${n}`);
	});
	const { path } = temporaryHome();
	copyFileSync(source.path, path);
	copyFileSync(`${other.path}-wal`, `${path}-wal`);

	const { store, health } = openTestStore({ path });
	const contents = store.messages.page(CHAT, { limit: 9 }).messages.map((message) => message.content);
	expect(contents).toEqual(["in the backup", "after the backup"]);
	expect(health().recovery).toMatchObject({ kind: "restored", message: expect.stringContaining("write-ahead file") });
});

test("[ST36] a backup put in place by hand gets new epochs, and a write-ahead file left beside it is not mixed in", async () => {
	const { backup } = await storeWithBackup();
	const { path } = temporaryHome();
	copyFileSync(backup, path);
	const { store, health } = openTestStore({ path });
	expect(store.conversations.find(CHAT)?.epoch).not.toBe("epoch-1");
	expect(health()).toEqual({ state: "ok" });

	const other = temporaryHome();
	openChat(other).say("newer");
	const again = temporaryHome();
	copyFileSync(backup, again.path);
	copyFileSync(`${other.path}-wal`, `${again.path}-wal`);
	const mixed = openTestStore({ path: again.path });
	expect(mixed.store.messages.page(CHAT, { limit: 9 }).messages.map((message) => message.content)).toEqual(["in the backup"]);
	expect(mixed.health().recovery?.kind).toBe("restored");
});

test("[ST46] a database whose write-ahead file is gone after a crash gets new epochs, and the loss is told", async () => {
	const place = temporaryHome();
	const first = openChat(place);
	first.say("in the file");
	await first.close();
	openChat(place).say("in the write-ahead file only");
	const copy = temporaryHome();
	copyFileSync(place.path, copy.path);

	const { store, health } = openTestStore({ path: copy.path });
	expect(store.messages.page(CHAT, { limit: 9 }).messages.map((message) => message.content)).toEqual(["in the file"]);
	expect(store.conversations.find(CHAT)?.epoch).not.toBe("epoch-1");
	expect(health().recovery).toMatchObject({ kind: "restored", message: expect.stringContaining("write-ahead file (-wal) is gone") });
});

test("[ST46] a write-ahead file that is there after a crash is taken, and nothing is called lost", () => {
	const place = temporaryHome();
	openChat(place).say("in the write-ahead file only");
	const copy = temporaryHome();
	for (const end of ["", "-wal"]) copyFileSync(`${place.path}${end}`, `${copy.path}${end}`);
	const { store, health } = openTestStore({ path: copy.path });
	expect(store.messages.page(CHAT, { limit: 9 }).messages).toHaveLength(1);
	expect(store.conversations.find(CHAT)?.epoch).toBe("epoch-1");
	expect(health()).toEqual({ state: "ok" });
});

test("[ST34] an empty home and an empty file are not damage", () => {
	const { home, path } = temporaryHome();
	writeFileSync(path, "");
	expect(openTestStore({ path }).health()).toEqual({ state: "ok" });
	expect(moved(home)).toEqual([]);
	expect(existsSync(join(home, "backups"))).toBe(false);
});

test("[ST44] a large database is checked after the start, and damage is told", async () => {
	const { path } = await storeWithBackup();
	const sound = openTestStore({ path, largeBytes: 1 });
	expect(sound.health()).toEqual({ state: "ok" });
	sound.store.transaction(() => {
		for (let n = 0; n < 500; n++) sound.store.messages.addMessage(CHAT, { role: "user", content: `text ${n}`.repeat(20), metadata: {} });
	});
	await sound.close();
	zeroPageWith(path, "text 250text 250");

	const opened = openTestStore({ path, largeBytes: 1 });
	await new Promise<void>((resolve) => opened.onHealth((health) => health.state === "damaged" && resolve()));
	expect(opened.health().message).toContain("Restart Rightseat");
	expect(() => opened.store.settings.set("a", "b")).toThrow(expect.objectContaining({ code: "storage-read-only" }));
	expect(opened.store.conversations.find(CHAT)?.id).toBe(CHAT);
	await opened.close();
	expect(openTestStore({ path, largeBytes: 1 }).health().recovery?.kind).toBe("restored");
});

test("[ST44] a large database is checked before the start when the machine went down under the server", async () => {
	const { path } = await storeWithBackup();
	const shutdown = (value: string) => {
		const raw = new (loadSqlite().module.DatabaseSync)(path);
		raw.exec(`UPDATE meta SET value = '${value}' WHERE key = 'shutdown'; PRAGMA wal_checkpoint(TRUNCATE)`);
		raw.close();
	};
	await openTestStore({ path, bootId: "boot-1" }).close();
	shutdown("running");
	damage(path);
	const opened = openTestStore({ path, bootId: "boot-2", largeBytes: 100_000 });
	expect(opened.health().recovery?.kind).toBe("restored");
});

test("[ST109] a very large database is checked after the start even then, and damage is told", async () => {
	const { path } = await storeWithBackup();
	const before = openTestStore({ path, bootId: "boot-1" });
	before.store.transaction(() => {
		for (let n = 0; n < 500; n++) before.store.messages.addMessage(CHAT, { role: "user", content: `text ${n}`.repeat(20), metadata: {} });
	});
	await before.close();
	const raw = new (loadSqlite().module.DatabaseSync)(path);
	raw.exec("UPDATE meta SET value = 'running' WHERE key = 'shutdown'; PRAGMA wal_checkpoint(TRUNCATE)");
	raw.close();
	zeroPageWith(path, "text 250text 250");
	const opened = openTestStore({ path, bootId: "boot-2", largeBytes: 1 });
	await new Promise<void>((resolve) => opened.onHealth((health) => health.state === "damaged" && resolve()));
	expect(opened.health().message).toContain("Restart Rightseat");
});

test("[ST44] closing while the check runs ends it, and counts as a clean stop", async () => {
	const { path } = await storeWithBackup();
	const opened = openTestStore({ path, largeBytes: 1 });
	await opened.close();
	expect(openTestStore({ path, largeBytes: 1 }).wasClean).toBe(true);
});
