import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFileIndex, MAX_FILES_IN_FOLDER } from "./file-index.ts";
import { createOutputFiles, MAX_REMOVED } from "./output-files.ts";

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "rightseat-files-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const quota = { fileBytes: 100_000, conversationBytes: 250_000, serverBytes: 400_000, keepMs: 1_000_000 };
const files = () => createOutputFiles(home, (conversation) => join(home, conversation), quota);

test("[SH34] a conversation's files stay within its quota; the oldest ended ones go first, those being written stay", async () => {
	const store = files();
	const write = (name: string, close: boolean) => {
		const file = store.open("c", name);
		file?.write(Buffer.alloc(100_000));
		if (close) file?.close();
		return file?.path ?? "";
	};
	const first = write("a", true);
	utimesSync(first, 1, 1);
	const second = write("b", false);
	const third = write("c", true);
	await expect
		.poll(() => [first, second, third].map((path) => statSync(path, { throwIfNoEntry: false })?.size))
		.toEqual([undefined, 100_000, 100_000]);
});

test("[SH34] when everything is in use, a new file gets only the room that is left, or none", () => {
	const store = files();
	const sizes = ["a", "b", "c", "d"].map((name) => {
		const file = store.open("c", name);
		file?.write(Buffer.alloc(100_000));
		return file?.bytes;
	});
	expect(sizes).toEqual([100_000, 100_000, 50_000, undefined]);
});

test("[SH34] the server's quota holds over all conversations, and old files are swept", async () => {
	const store = files();
	for (const conversation of ["a", "b", "c", "d", "e", "f"]) {
		const file = store.open(conversation, "1");
		file?.write(Buffer.alloc(100_000));
		file?.close();
	}
	const kept = () => ["a", "b", "c", "d", "e", "f"].flatMap((conversation) => readdirSync(join(home, conversation, "output")));
	await expect.poll(kept).toHaveLength(quota.serverBytes / quota.fileBytes);
	const old = join(home, "a", "output", "old.log");
	writeFileSync(old, "x");
	utimesSync(old, 1, 1);
	await store.sweep();
	expect(statSync(old, { throwIfNoEntry: false })).toBeUndefined();
});

test("[SH34] a new server counts what is there already, and a folder that cannot be made fails no command", async () => {
	for (const conversation of ["a", "b", "c", "d"]) {
		const file = files().open(conversation, "1");
		file?.write(Buffer.alloc(100_000));
		file?.close();
	}
	const next = files();
	await next.sweep();
	const file = next.open("e", "1");
	file?.write(Buffer.alloc(100_000));
	file?.close();
	const kept = () => ["a", "b", "c", "d", "e"].flatMap((conversation) => readdirSync(join(home, conversation, "output")));
	await expect.poll(kept).toHaveLength(4);
	writeFileSync(join(home, "blocked"), "");
	expect(next.open("blocked", "1")).toBeUndefined();
});

test("[SH110] opening a file looks at no folder, however many conversations and files there are", async () => {
	const looked: string[] = [];
	const look = {
		list(folder: string) {
			looked.push(folder);
			return readdir(folder);
		},
		stat,
	};
	const store = createOutputFiles(home, (conversation) => join(home, conversation), quota, look);
	for (let i = 0; i < 300; i++) {
		mkdirSync(join(home, `c${i}`, "output"), { recursive: true });
		writeFileSync(join(home, `c${i}`, "output", "x.log"), "x".repeat(100));
	}
	await store.sweep();
	expect(looked).toHaveLength(301);
	looked.length = 0;
	const before = filesIn(home);
	// Pushing out hundreds of small files is spread over the files that need their room.
	for (const name of ["3", "4"]) store.open("c9", name)?.write(Buffer.alloc(100_000));
	const files = ["c10", "c11"].map((conversation) => store.open(conversation, "5"));
	expect(files.map((file) => file !== undefined)).toEqual([true, true]);
	expect(looked).toEqual([]);
	await expect.poll(() => filesIn(home)).toBeLessThan(before);
	expect(before + 4 - filesIn(home)).toBeLessThanOrEqual(4 * (MAX_REMOVED + 1));
	store.forget("c8");
	expect(store.open("c8", "6")).toBeDefined();
});

test("[SH110] a disk that does not answer a look keeps nobody from opening a file", async () => {
	const never = { list: () => new Promise<string[]>(() => undefined), stat };
	const store = createOutputFiles(home, (conversation) => join(home, conversation), quota, never);
	void store.sweep();
	const file = store.open("c", "1");
	file?.write(Buffer.from("kept"));
	file?.close();
	expect(file?.bytes).toBe(4);
});

test("[SH131] of the finished files of a conversation the newest 500 are kept, however small they are", async () => {
	const folder = join(home, "c", "output");
	mkdirSync(folder, { recursive: true });
	for (let i = 0; i < MAX_FILES_IN_FOLDER + 20; i++) {
		writeFileSync(join(folder, `${i}.log`), "x");
		utimesSync(join(folder, `${i}.log`), new Date(), new Date(Date.now() - 100_000 + i));
	}
	const store = files();
	await store.sweep();
	await expect.poll(() => readdirSync(folder)).toHaveLength(MAX_FILES_IN_FOLDER);
	expect(readdirSync(folder)).not.toContain("19.log");
	const file = store.open("c", "next");
	file?.write(Buffer.from("x"));
	file?.close();
	await expect.poll(() => readdirSync(folder)).toHaveLength(MAX_FILES_IN_FOLDER);
	expect(readdirSync(folder)).not.toContain("20.log");
});

test("[SH131] a file that is finished while its folder is looked at is not forgotten", () => {
	const index = createFileIndex();
	index.add("a", { path: "old", bytes: 1, modified: 5 });
	index.add("a", { path: "new", bytes: 2, modified: 20 });
	index.replace("a", [{ path: "seen", bytes: 4, modified: 1 }], 10);
	expect([index.bytes, index.bytesIn("a"), index.takeOldest("a")?.path, index.takeOldest()?.path, index.takeOldest()]).toEqual([
		6,
		6,
		"seen",
		"new",
		undefined,
	]);
});

const filesIn = (folder: string) => readdirSync(folder).flatMap((name) => readdirSync(join(folder, name, "output"))).length;
