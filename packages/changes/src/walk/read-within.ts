import type { Stats } from "node:fs";
import { StoreFullError } from "../blobs/store-full.ts";
import { MAX_FILE_BYTES, type Reading, readPath } from "./read-path.ts";
import type { Walk } from "./tree.ts";

/** Bytes read within this time of the file's last change may be followed by others with the same times. */
export const RACY_MS = 20;

/** Reads and keeps one path, unless the pass has no more time, bytes or room for it. */
export function readWithin(walk: Walk, path: string, stat: Pick<Stats, "size">): Reading {
	if (!mayRead(walk, stat)) return { state: { kind: "unknown", reason: stat.size > walk.budget.bytes ? "too-much" : "too-slow" } };
	const reading = readPath(walk.root, path);
	if (reading.bytes === undefined) {
		walk.racy.delete(path);
		return reading;
	}
	walk.budget.bytes -= reading.bytes.length;
	if (Date.now() - (reading.stat?.ctimeMs ?? 0) < RACY_MS) walk.racy.add(path);
	else walk.racy.delete(path);
	try {
		walk.store(reading.bytes);
		return reading;
	} catch (error) {
		if (!(error instanceof StoreFullError)) throw error;
		return { state: { kind: "unknown", reason: "disk-full" } };
	}
}

/** The pass has time and bytes left for a file of this size. */
export const mayRead = (walk: Walk, stat: Pick<Stats, "size">): boolean =>
	performance.now() <= walk.budget.until && (stat.size > MAX_FILE_BYTES || stat.size <= walk.budget.bytes);
