import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { addChange, addStep, listSteps } from "../index/change-rows.ts";
import { type ChangesIndex, openIndex, prepareHome } from "../index/open-index.ts";
import { bytePath } from "../paths/byte-path.ts";
import { KEEP_MS, maintain, tidyPacks } from "./maintain.ts";
import { createPackStore, type PackStore, TOUCH_MS } from "./pack-store.ts";

let home = "";
let index: ChangesIndex;
let blobs: PackStore;
beforeEach(() => {
	home = join(mkdtempSync(join(tmpdir(), "rightseat-maintain-")), "changes");
	prepareHome(home);
	index = openIndex(home).index;
	blobs = createPackStore({ home, index, maxPackBytes: 2_000 });
});
afterEach(() => {
	blobs.close();
	index.close();
	rmSync(join(home, ".."), { recursive: true, force: true });
});

const NOW = 1_000 * KEEP_MS;

/** A change with one new file of a kilobyte that nothing can pack. */
function addFile(id: string, at: number, usedAt = 0): string {
	const bytes = Buffer.from(
		Array.from({ length: 1_000 }, (_, place) => (place * place * (id.length + id.charCodeAt(id.length - 1)) + place * 31) % 256),
	);
	const hash = blobs.put(Buffer.concat([Buffer.from(id), bytes]));
	index.transaction(() => {
		blobs.flush();
		addChange(index, { id, conversationId: "one", kind: "turn", root: "/r", at });
		index.sql("UPDATE changes SET settled = 1 WHERE id = ?").run(id);
		const after = { kind: "file", hash, size: 1_000, mode: 0o644 } as const;
		addStep(index, { root: "/r", path: bytePath(id), before: { kind: "absent" }, after, at }, [
			{ changeId: id, actors: ["agent"], windows: [] },
		]);
	});
	index.sql("UPDATE blobs SET used_at = ? WHERE hash = ?").run(usedAt, hash);
	return hash;
}
const packBytes = () => readdirSync(join(home, "packs")).reduce((sum, name) => sum + statSync(join(home, "packs", name)).size, 0);

test("[CH60] changes older than thirty days go, with their steps and contents; the disk gets its space back", async () => {
	const old = Array.from({ length: 20 }, (_, at) => addFile(`old${at}`, NOW - KEEP_MS - 1));
	const kept = Array.from({ length: 4 }, (_, at) => addFile(`new${at}`, NOW - KEEP_MS));
	const before = packBytes();
	await maintain({ home, index, blobs, now: NOW });
	expect([listSteps(index, "old1"), listSteps(index, "new1").length]).toEqual([[], 1]);
	expect(old.filter((hash) => blobs.get(hash) !== undefined)).toEqual([]);
	expect(kept.every((hash) => blobs.get(hash) !== undefined)).toBe(true);
	expect(packBytes()).toBeLessThan(before / 2);
});

test("[CH60] when the store is nearly full the oldest changes go before their time", async () => {
	const hashes = Array.from({ length: 200 }, (_, at) => addFile(`c${String(at).padStart(3, "0")}`, NOW - 1_000 + at));
	const maxStoreBytes = Math.floor(packBytes() / 1.05);
	await maintain({ home, index, blobs, now: NOW, maxStoreBytes });
	expect(packBytes()).toBeLessThan(maxStoreBytes * 0.9);
	expect([blobs.get(hashes[0] ?? ""), blobs.get(hashes[199] ?? "") === undefined]).toEqual([undefined, false]);
});

test("[CH61] contents that known files or an unfinished undo need stay, and so does what was found again a moment ago", async () => {
	const [known, planned, again, dead] = ["known", "planned", "again", "dead"].map((id) =>
		addFile(id, 1, id === "again" ? NOW - TOUCH_MS : 0),
	);
	index.sql("INSERT INTO roots (id, path, refused, used_at) VALUES (1, '/r', 0, ?)").run(NOW);
	index
		.sql("INSERT INTO files (root, path, state, ino, size, mtime, ctime, mode) VALUES (1, 'a', ?, 1, 1, 1, 1, 1)")
		.run(`f644:1000:${known}`);
	index.sql("INSERT INTO undos (change, root, plan) VALUES ('u', '/r', ?)").run(JSON.stringify({ hash: planned }));
	await maintain({ home, index, blobs, now: NOW });
	expect([known, planned, again, dead].map((hash) => blobs.get(hash ?? "") !== undefined)).toEqual([true, true, true, false]);
	index.sql("UPDATE roots SET used_at = 0").run();
	await maintain({ home, index, blobs, now: NOW });
	expect(blobs.get(known ?? "")).toBe(undefined);
});

test("[CH61] who reads while packs are written anew gets its bytes", async () => {
	const reader = createPackStore({ home, index: openIndex(home).index });
	const kept = addFile("kept", NOW);
	for (let at = 0; at < 20; at += 1) addFile(`old${at}`, 1);
	expect(reader.get(kept)).toBeDefined();
	await maintain({ home, index, blobs, now: NOW, pause: async () => expect(reader.get(kept)).toBeDefined() });
	expect(createPackStore({ home, index: openIndex(home).index }).get(kept)).toBeDefined();
	expect(reader.get(kept)).toBeDefined();
});

test("[CH61] files among the packs that the index does not know are removed at the start", () => {
	const kept = addFile("kept", NOW);
	writeFileSync(join(home, "packs", "999999.pack"), "left by a crash");
	tidyPacks(home, index);
	expect(readdirSync(join(home, "packs"))).not.toContain("999999.pack");
	expect(blobs.get(kept)).toBeDefined();
});
