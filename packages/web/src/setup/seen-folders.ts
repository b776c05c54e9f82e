import * as z from "zod/mini";
import { writeStorage } from "../storage/write-storage.ts";

const KEY = "rightseat:folders-seen";
/** Folders whose line was seen; the oldest is forgotten, and its line comes once more. */
export const MAX_SEEN_FOLDERS = 200;

/** On this device. */
export interface SeenFolders {
	has(place: string): boolean;
	add(place: string): void;
}

export function createSeenFolders(storage: Pick<Storage, "getItem" | "setItem">): SeenFolders {
	let seen = read(storage);
	return {
		has: (place) => seen.includes(place),
		add(place) {
			seen = [...seen.filter((each) => each !== place), place].slice(-MAX_SEEN_FOLDERS);
			writeStorage(storage, KEY, JSON.stringify(seen));
		},
	};
}

function read(storage: Pick<Storage, "getItem">): readonly string[] {
	try {
		const kept: unknown = JSON.parse(storage.getItem(KEY) ?? "[]");
		const list = z.safeParse(z.array(z.string()), kept);
		return list.success ? list.data : [];
	} catch {
		// Somebody else wrote there; the line comes once more.
		return [];
	}
}
