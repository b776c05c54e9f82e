import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { StorageHealth } from "../health/storage-health.ts";
import { CHAT, openChat, openTestStore, temporaryHome } from "../store-harness.ts";
import { backupPath, backupsToRemove, backupTime, listBackups, MAX_BACKUPS } from "./backup-files.ts";
import { BACKUP_INTERVAL_MS, BACKUP_RETRY_MS } from "./backups.ts";

const nextBackup = (opened: { onHealth(listener: (health: StorageHealth) => void): () => void }) =>
	new Promise<StorageHealth["backup"]>((resolve) => {
		const stop = opened.onHealth((health) => {
			stop();
			resolve(health.backup);
		});
	});

test("[ST40] a backup is a sound database of its own with everything in it, while the server writes on", async () => {
	const opened = openChat(temporaryHome());
	opened.say("before");
	const making = opened.backupNow();
	expect(opened.backupNow()).toBe(making);
	opened.say("meanwhile");
	const path = await making;
	expect(opened.health().backup).toEqual({ at: opened.clock.now(), path });
	const restored = openTestStore({ path });
	expect(restored.store.messages.page(CHAT, { limit: 1 }).messages).toHaveLength(1);
	expect(await restored.store.messages.search("before")).toHaveLength(1);
	expect(restored.health()).toEqual({ state: "ok" });
});

test("[ST40] one backup a day is made, and seven are kept", async () => {
	const place = temporaryHome();
	const opened = openChat(place);
	await opened.start();
	for (let day = 1; day <= 9; day++) {
		opened.say(`day ${day}`);
		const made = nextBackup(opened);
		await opened.clock.advance(day === 1 ? 0 : BACKUP_INTERVAL_MS);
		expect(await made).toMatchObject({ path: expect.stringContaining(".db") });
		await opened.clock.settle();
	}
	expect(listBackups(place.backups)).toHaveLength(MAX_BACKUPS);
	expect(backupTime(listBackups(place.backups)[0] ?? "")).toBe(opened.clock.now());
	expect(readdirSync(place.backups).filter((name) => !name.endsWith(".db"))).toEqual([]);
});

test("[ST40] a restart does not make another backup on the same day, and what a crash left is cleaned up", async () => {
	const place = temporaryHome();
	const opened = openChat(place);
	mkdirSync(place.backups);
	writeFileSync(backupPath(place.backups, opened.clock.now() - BACKUP_INTERVAL_MS / 2, "daily"), "");
	writeFileSync(join(place.backups, "rightseat-x.db.partial"), "left");
	await opened.start();
	await opened.clock.advance(BACKUP_INTERVAL_MS / 2 - 1);
	expect(opened.health().backup).toBeUndefined();
	const made = nextBackup(opened);
	await opened.clock.advance(1);
	expect(await made).toMatchObject({ at: opened.clock.now() });
	expect(readdirSync(place.backups).filter((name) => name.endsWith(".partial"))).toEqual([]);
});

test("[ST41] a backup that fails is told and tried again", async () => {
	const place = temporaryHome();
	writeFileSync(place.backups, "a file where the directory should be");
	const opened = openChat(place);
	const failed = nextBackup(opened);
	await opened.start();
	await opened.clock.advance(0);
	expect(await failed).toEqual({ at: opened.clock.now(), error: expect.stringContaining("EEXIST") });
	const again = nextBackup(opened);
	await opened.clock.advance(BACKUP_RETRY_MS);
	expect(await again).toMatchObject({ error: expect.any(String) });
});

test("[ST40] a store that is closed during a backup stops it and leaves no half of it", async () => {
	const place = temporaryHome();
	const opened = openChat(place);
	const making = opened.backupNow().then(
		() => "made",
		() => "stopped",
	);
	await opened.close();
	const result = await making;
	expect(readdirSync(place.backups).map((name) => statSync(join(place.backups, name)).size > 0)).toEqual(result === "made" ? [true] : []);
});

test("[ST40] a database in memory has no backups", async () => {
	await expect(openTestStore().backupNow()).rejects.toThrow("no backups");
});

test("[ST160] all backups together have a bound in bytes: a large database keeps fewer, and always the newest", () => {
	const { backups } = temporaryHome();
	mkdirSync(backups);
	const paths = [4, 3, 2, 1].map((day) => backupPath(backups, day * BACKUP_INTERVAL_MS, "daily"));
	for (const path of paths) writeFileSync(path, "x".repeat(100));
	expect(backupsToRemove(backups, { maxBytes: 400 })).toEqual([]);
	expect(backupsToRemove(backups, { maxBytes: 250 })).toEqual(paths.slice(2));
	expect(backupsToRemove(backups, { maxBytes: 10 })).toEqual(paths.slice(1));
	expect(backupsToRemove(backups, { coming: 100, maxBytes: 250 })).toEqual(paths.slice(1));
	expect(backupsToRemove(backups, { coming: 1_000, maxBytes: 250 })).toEqual(paths);
});

test("[ST161] a day on which nothing was written makes no backup, and the next write makes one again", async () => {
	const place = temporaryHome();
	const opened = openChat(place);
	const first = nextBackup(opened);
	await opened.start();
	await opened.clock.advance(0);
	await first;
	await opened.clock.settle();
	await opened.clock.advance(BACKUP_INTERVAL_MS);
	await opened.clock.advance(BACKUP_INTERVAL_MS);
	// One that had begun would be there as a file at once.
	expect(readdirSync(place.backups)).toHaveLength(1);
	opened.say("something new");
	const second = nextBackup(opened);
	await opened.clock.advance(BACKUP_INTERVAL_MS);
	expect(await second).toEqual({ at: opened.clock.now(), path: listBackups(place.backups)[0] });
	expect(listBackups(place.backups)).toHaveLength(2);
});
