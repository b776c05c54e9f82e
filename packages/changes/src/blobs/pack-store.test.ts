import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { INDEX_FILE, openIndex, prepareHome } from "../index/open-index.ts";
import { hashOf } from "../walk/read-path.ts";
import { createPackStore, packPath } from "./pack-store.ts";
import { StoreFullError } from "./store-full.ts";

let home = "";
beforeEach(() => {
	home = join(mkdtempSync(join(tmpdir(), "rightseat-packs-")), "changes");
	prepareHome(home);
});
afterEach(() => rmSync(join(home, ".."), { recursive: true, force: true }));

function openStore(limits: { maxPackBytes?: number; maxStoreBytes?: number } = {}) {
	const { index, replaced } = openIndex(home);
	const store = createPackStore({ home, index, ...limits });
	const flush = () => index.transaction(() => store.flush());
	return { store, index, replaced, flush, text: (hash: string) => Buffer.from(store.get(hash) ?? "missing").toString() };
}

const random = (bytes: number, seed: number) =>
	Buffer.from(Array.from({ length: bytes }, (_, at) => (at * 7919 + seed * 104_729 + ((at * at) % 251)) % 256));

test("[CH40] contents come back by their hash, also the empty one, before and after they are in the index and after a restart", () => {
	const { store, index, flush, text } = openStore();
	const hashes = ["", "a", "text ".repeat(1_000)].map((content) => store.put(Buffer.from(content)));
	expect(hashes.map(text)).toEqual(["", "a", "text ".repeat(1_000)]);
	flush();
	expect(hashes.map(text)).toEqual(["", "a", "text ".repeat(1_000)]);
	store.close();
	index.close();
	expect(hashes.map(openStore().text)).toEqual(["", "a", "text ".repeat(1_000)]);
});

test("[CH40] the same content is kept once, and packs end at their bound", () => {
	const { store, flush } = openStore({ maxPackBytes: 1_000 });
	for (let round = 0; round < 3; round += 1) for (let seed = 0; seed < 10; seed += 1) store.put(random(300, seed));
	flush();
	const sizes = readdirSync(join(home, "packs")).map((name) => statSync(join(home, "packs", name)).size);
	expect(sizes.every((size) => size <= 1_000)).toBe(true);
	expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(10 * 340);
});

test("[CH31] beyond the bound nothing more is taken, and what is kept stays", () => {
	const { store, text } = openStore({ maxStoreBytes: 500 });
	const kept = store.put(Buffer.from("kept"));
	expect(() => store.put(random(600, 1))).toThrow(StoreFullError);
	expect(text(kept)).toBe("kept");
	expect(text(store.put(Buffer.from("also")))).toBe("also");
});

test("[CH40] a pack that is cut short, changed or gone gives nothing instead of other bytes", () => {
	const { store, index, flush } = openStore();
	const [one, two] = [store.put(random(300, 1)), store.put(random(300, 2))];
	flush();
	store.close();
	index.close();
	const [name = ""] = readdirSync(join(home, "packs"));
	expect(join(home, "packs", name)).toBe(packPath(home, Number.parseInt(name, 10)));
	truncateSync(join(home, "packs", name), 400);
	expect(openStore().store.get(two)).toBe(undefined);
	expect(hashOf(openStore().store.get(one) ?? Buffer.of())).toBe(one);
	writeFileSync(join(home, "packs", name), Buffer.alloc(1_000));
	expect(openStore().store.get(one)).toBe(undefined);
	rmSync(join(home, "packs", name));
	expect(openStore().store.get(one)).toBe(undefined);
});

test("[CH40] two writers share a folder without harming each other", () => {
	const [first, second] = [openStore(), openStore()];
	const one = first.store.put(Buffer.from("first"));
	const two = second.store.put(Buffer.from("second"));
	first.flush();
	second.flush();
	expect([second.text(one), first.text(two)]).toEqual(["first", "second"]);
});

test("[CH41] everything is private to the user; an index that is damaged is moved aside and a new one begun", () => {
	const { index: first, store } = openStore();
	store.put(Buffer.from("one"));
	const own = [home, ...readdirSync(home, { recursive: true, encoding: "utf8" }).map((name) => join(home, name))];
	expect(own.length).toBe(6);
	expect(own.filter((path) => (statSync(path).mode & 0o077) !== 0)).toEqual([]);
	store.close();
	first.close();
	writeFileSync(join(home, INDEX_FILE), "this is no database at all, and long enough to be read as one ".repeat(100));
	for (const name of readdirSync(home)) if (name.startsWith(`${INDEX_FILE}-`)) rmSync(join(home, name));
	expect(openStore().replaced).toBe(true);
	expect(readdirSync(home)).toContain(`${INDEX_FILE}.unusable`);
	const { index, replaced } = openStore();
	expect(replaced).toBe(false);
	index.sql("PRAGMA user_version = 99").run();
	index.close();
	expect(openStore().replaced).toBe(true);
});
