import type { DeviceStore } from "./database.ts";
import { writeStorage } from "./write-storage.ts";

export type NoteStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

const PREFIX = "rightseat:outbox:";

/**
 * The browser's database writes a moment later, and a page that is left in that moment loses the write. What a person sent is noted
 * first in the storage that writes at once, until the database has it.
 */
export function createWriteAheadStore(store: DeviceStore, notes: NoteStorage): DeviceStore {
	const forget = (key: string) => notes.removeItem(PREFIX + key);
	const keys = () =>
		Array.from({ length: notes.length }, (_, index) => notes.key(index) ?? "").flatMap((name) =>
			name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [],
		);
	/** Writes what an earlier page noted and did not live to write. What a full database refuses stays noted, and is returned. */
	async function catchUp(): Promise<unknown[]> {
		const refused: unknown[] = [];
		for (const key of keys()) {
			const value = read(notes.getItem(PREFIX + key));
			if (value === undefined) forget(key);
			else
				await store.put("outbox", key, value).then(
					() => forget(key),
					() => refused.push(value),
				);
		}
		return refused;
	}
	return {
		...store,
		async all(name) {
			const noted = name === "outbox" ? await catchUp() : [];
			return [...(await store.all(name)), ...noted];
		},
		async put(name, key, value) {
			if (name !== "outbox") return store.put(name, key, value);
			writeStorage(notes, PREFIX + key, JSON.stringify(value));
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

function read(text: string | null): unknown {
	try {
		return text === null ? undefined : JSON.parse(text);
	} catch {
		return undefined;
	}
}
