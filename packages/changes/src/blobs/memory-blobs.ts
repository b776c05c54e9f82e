import type { Blobs } from "../model.ts";
import { hashOf } from "../walk/read-path.ts";

/** Contents in memory, for whoever needs no disk. */
export function createMemoryBlobs(): Blobs {
	const kept = new Map<string, Uint8Array>();
	return {
		put(bytes) {
			const hash = hashOf(bytes);
			if (!kept.has(hash)) kept.set(hash, Uint8Array.from(bytes));
			return hash;
		},
		get: (hash) => kept.get(hash),
		sync: async () => undefined,
	};
}
