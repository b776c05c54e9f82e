import { expect, test } from "vitest";
import { createMemoryStore, type DeviceStore } from "./database.ts";
import { createWriteAheadStore, type NoteStorage } from "./write-ahead-outbox.ts";

function createNotes(): NoteStorage & { entries: Map<string, string> } {
	const entries = new Map<string, string>();
	return {
		entries,
		getItem: (name) => entries.get(name) ?? null,
		setItem: (name, text) => void entries.set(name, text),
		removeItem: (name) => void entries.delete(name),
		key: (index) => [...entries.keys()][index] ?? null,
		get length() {
			return entries.size;
		},
	};
}

test("[PG133] what was sent is noted at once, and the next page finds it though the database never wrote it", async () => {
	const notes = createNotes();
	const never: DeviceStore = { ...createMemoryStore(), put: () => new Promise(() => undefined) };
	void createWriteAheadStore(never, notes).put("outbox", "a", { text: "hello" });
	const next = createWriteAheadStore(createMemoryStore(), notes);
	expect(await next.all("outbox")).toEqual([{ text: "hello" }]);
	expect(notes.entries.size).toBe(0);
});

test("[PG133] nothing stays noted once the database has it, it was confirmed, or the person logged out", async () => {
	const notes = createNotes();
	const store = createWriteAheadStore(createMemoryStore(), notes);
	await store.put("outbox", "a", { text: "kept" });
	expect([notes.entries.size, await store.all("outbox")]).toEqual([0, [{ text: "kept" }]]);
	const slow = createWriteAheadStore({ ...createMemoryStore(), put: () => new Promise(() => undefined) }, notes);
	void slow.put("outbox", "b", { text: "confirmed before it was written" });
	await slow.delete("outbox", "b");
	expect(notes.entries.size).toBe(0);
	void slow.put("outbox", "c", { text: "private" });
	await slow.clear();
	expect(notes.entries.size).toBe(0);
});

test("[PG133] a broken note and a full storage stop nothing; other stores are not noted", async () => {
	const notes = createNotes();
	notes.setItem("rightseat:outbox:x", "{");
	const store = createWriteAheadStore(createMemoryStore(), notes);
	expect(await store.all("outbox")).toEqual([]);
	notes.setItem = () => {
		throw new Error("quota");
	};
	await store.put("outbox", "a", { text: "hello" });
	await store.put("views", "v", { lastSeq: 1 });
	expect(await store.all("outbox")).toEqual([{ text: "hello" }]);
	expect(await store.get("views", "v")).toEqual({ lastSeq: 1 });
});

test("[PG305] what a full database refuses is still restored from its note", async () => {
	const notes = createNotes();
	notes.setItem("rightseat:outbox:m1", '"noted"');
	const full = { ...createMemoryStore(), put: () => Promise.reject(new DOMException("There is no space left.", "QuotaExceededError")) };
	expect(await createWriteAheadStore(full, notes).all("outbox")).toEqual(["noted"]);
	expect([...notes.entries.keys()]).toEqual(["rightseat:outbox:m1"]);
});
