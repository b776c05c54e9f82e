import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSpills, MAX_REMOVED } from "./output-files.ts";

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "rightseat-spills-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const quota = { fileBytes: 100_000, conversationBytes: 250_000, serverBytes: 400_000, keepMs: 1_000_000 };
const spills = () => createSpills(home, (conversation) => join(home, conversation), quota);

test("[SH34] a conversation's files stay within its quota; the oldest ended ones go first, those being written stay", () => {
	const store = spills();
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
	expect([first, second, third].map((path) => statSync(path, { throwIfNoEntry: false })?.size)).toEqual([undefined, 100_000, 100_000]);
});

test("[SH34] when everything is in use, a new file gets only the room that is left, or none", () => {
	const store = spills();
	const sizes = ["a", "b", "c", "d"].map((name) => {
		const file = store.open("c", name);
		file?.write(Buffer.alloc(100_000));
		return file?.bytes;
	});
	expect(sizes).toEqual([100_000, 100_000, 50_000, undefined]);
});

test("[SH34] the server's quota holds over all conversations, and old files are swept", async () => {
	const store = spills();
	for (const conversation of ["a", "b", "c", "d", "e", "f"]) {
		const file = store.open(conversation, "1");
		file?.write(Buffer.alloc(100_000));
		file?.close();
	}
	const kept = ["a", "b", "c", "d", "e", "f"].flatMap((conversation) => readdirSync(join(home, conversation, "output")));
	expect(kept).toHaveLength(quota.serverBytes / quota.fileBytes);
	const old = join(home, "a", "output", "old.log");
	writeFileSync(old, "x");
	utimesSync(old, 1, 1);
	await store.sweep();
	expect(statSync(old, { throwIfNoEntry: false })).toBeUndefined();
});

test("[SH34] a new server counts what is there already, and a folder that cannot be made fails no command", async () => {
	for (const conversation of ["a", "b", "c", "d"]) {
		const file = spills().open(conversation, "1");
		file?.write(Buffer.alloc(100_000));
		file?.close();
	}
	const next = spills();
	await next.sweep();
	const file = next.open("e", "1");
	file?.write(Buffer.alloc(100_000));
	file?.close();
	expect(["a", "b", "c", "d", "e"].flatMap((conversation) => readdirSync(join(home, conversation, "output")))).toHaveLength(4);
	writeFileSync(join(home, "blocked"), "");
	expect(next.open("blocked", "1")).toBeUndefined();
});

test("[SH110] what opening a file costs does not grow with the number of conversations", async () => {
	const looked: string[] = [];
	const store = createSpills(
		home,
		(conversation) => join(home, conversation),
		quota,
		(folder) => {
			looked.push(folder);
			return existsSync(folder) ? readdirSync(folder) : [];
		},
	);
	for (let i = 0; i < 300; i++) {
		mkdirSync(join(home, `c${i}`, "output"), { recursive: true });
		writeFileSync(join(home, `c${i}`, "output", "x.log"), "x".repeat(100));
	}
	await store.sweep();
	looked.length = 0;
	store.open("c7", "1")?.close();
	expect(looked).toEqual([join(home, "c7", "output")]);
	const file = store.open("c8", "2");
	file?.write(Buffer.alloc(100_000));
	file?.close();
	looked.length = 0;
	// Pushing out hundreds of small files is spread over the files that need their room.
	for (const name of ["3", "4"]) store.open("c9", name)?.write(Buffer.alloc(100_000));
	store.open("c10", "5")?.write(Buffer.alloc(100_000));
	expect(looked.length).toBeLessThanOrEqual(3 * (MAX_REMOVED + 2));
	store.forget("c8");
	expect(store.open("c8", "6")).toBeDefined();
});
