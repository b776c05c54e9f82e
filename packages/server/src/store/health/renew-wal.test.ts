import { copyFileSync, existsSync, readFileSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createManualDisk } from "../../../../../test/support/manual-disk.ts";
import { CHAT, openChat, openTestStore, temporaryHome } from "../store-harness.ts";
import type { WalFile } from "./renew-wal.ts";

/** What a killed server leaves, more than one piece of it in the -wal. */
function leftByKill() {
	const place = temporaryHome();
	const killed = openChat(place);
	for (let count = 0; count < 30; count += 1) killed.say(`${count} ${"x".repeat(60_000)}`);
	const path = join(place.home, "left.db");
	for (const suffix of ["", "-wal"]) copyFileSync(`${place.path}${suffix}`, `${path}${suffix}`);
	const files = () => ["", "-wal"].map((suffix) => readFileSync(`${path}${suffix}`));
	return { path, files };
}

const withCode = (code: string) => Object.assign(new Error(code), { code });

test("[ST600] what a killed server left in the write-ahead file is written anew, byte for byte, and synced when the next one opens it", () => {
	const { path, files } = leftByKill();
	const [, left] = files();
	const calls: string[] = [];
	// Opening it adds a page.
	const again = Buffer.alloc((left?.length ?? 0) + 4_120);
	const walFile: WalFile = {
		read: (file, into, at) => readSync(file, into, 0, into.length, at),
		write(file, bytes, at) {
			calls.push("write");
			again.set(bytes, at);
			writeSync(file, bytes, 0, bytes.length, at);
		},
		sync: () => calls.push("sync"),
	};
	const { store } = openTestStore({ path, walFile });
	expect(again.subarray(0, left?.length).equals(left ?? Buffer.alloc(0))).toBe(true);
	expect([calls.at(-1), calls.filter((call) => call === "write").length > 1]).toEqual(["sync", true]);
	expect(store.messages.page(CHAT, { limit: 9, maxBytes: 1_000_000 }).messages.at(-1)?.content).toMatch(/^29 /);
});

test("[ST600] a disk on which that fails is not started on, and nothing is changed", () => {
	for (const fails of ["write", "sync"] as const) {
		const { path, files } = leftByKill();
		const before = files();
		const walFile: WalFile = {
			read: (file, into, at) => readSync(file, into, 0, into.length, at),
			write: () => undefined,
			sync: () => undefined,
			[fails]() {
				throw withCode("EIO");
			},
		};
		expect(() => openTestStore({ path, walFile })).toThrow("made sure that what it had saved is on it");
		expect(files().map((bytes, at) => bytes.subarray(0, before[at]?.length).equals(before[at] ?? Buffer.alloc(0)))).toEqual([true, true]);
		expect(openTestStore({ path }).store.conversations.find(CHAT)?.id).toBe(CHAT);
	}
});

test("[ST600] a full disk that cannot write in place is synced as it is, and started on", () => {
	const { path } = leftByKill();
	let synced = 0;
	const walFile: WalFile = {
		read: (file, into, at) => readSync(file, into, 0, into.length, at),
		write() {
			throw withCode("ENOSPC");
		},
		sync: () => (synced += 1),
	};
	expect([openTestStore({ path, walFile }).health().state, synced]).toEqual(["ok", 1]);
});

test("[ST601] after a failed sync the write-ahead file is left as it is until the next start, also when the server is stopped", async () => {
	const disk = createManualDisk({ keepsCopies: false });
	onTestFinished(disk.remove);
	const { path, syncer } = disk;
	const chat = openChat({ path, syncer });
	while (disk.busy) disk.finish();
	chat.say("committed and never synced");
	disk.finish(new Error("EIO"));
	const files = () => ["", "-wal"].map((suffix) => readFileSync(`${path}${suffix}`));
	const before = files();
	await chat.close();
	expect(existsSync(`${path}-wal`)).toBe(true);
	expect(files().map((bytes, at) => bytes.equals(before[at] ?? Buffer.alloc(0)))).toEqual([true, true]);
	const { store, wasClean } = openTestStore({ path });
	expect([wasClean, store.messages.page(CHAT, { limit: 9 }).messages.map(({ content }) => content)]).toEqual([
		false,
		["committed and never synced"],
	]);
});
