import type { DeviceStore } from "./database.ts";

export type NoteStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

const PREFIX = "rightseat:outbox:";

/**
 * The browser's database writes a moment later, and a page that is left in that moment loses the write. What a person sent is noted
 * first in the storage that writes at once, until the database has it.
 */
export function createNotedStore(store: DeviceStore, notes: NoteStorage): DeviceStore {
	const forget = (key: string) => notes.removeItem(PREFIX + key);
	const keys = () =>
		Array.from({ length: notes.length }, (_, index) => notes.key(index) ?? "").flatMap((name) =>
			name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [],
		);
	/** What an earlier page noted and did not live to write. */
	const catchUp = async () => {
		for (const key of keys()) {
			const value = read(notes.getItem(PREFIX + key));
			if (value !== undefined) await store.put("outbox", key, value);
			forget(key);
		}
	};
	return {
		...store,
		async all(name) {
			if (name === "outbox") await catchUp();
			return store.all(name);
		},
		async put(name, key, value) {
			if (name !== "outbox") return store.put(name, key, value);
			note(notes, PREFIX + key, value);
			await store.put(name, key, value);
			forget(key);
		},
		async delete(name, key) {
			if (name === "outbox") forget(key);
			await store.delete(name, key);
		},
		async clear(stores) {
			if (stores === undefined || stores.includes("outbox")) for (const key of keys()) forget(key);
			await store.clear(stores);
		},
	};
}

function note(notes: NoteStorage, name: string, value: unknown): void {
	try {
		notes.setItem(name, JSON.stringify(value));
	} catch (error) {
		console.warn("This browser's storage is full or closed; a prompt is kept a moment later.", error);
	}
}

function read(text: string | null): unknown {
	try {
		return text === null ? undefined : JSON.parse(text);
	} catch {
		return undefined;
	}
}
