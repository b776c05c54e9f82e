import { closeSync, constants, fchmodSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import type { Blobs, PathState } from "../model.ts";
import { nameOf } from "../paths/byte-path.ts";
import { hashOf, modeOf } from "../walk/read-path.ts";
import type { Folder } from "./folder.ts";
import { isSameState } from "./path-states.ts";
import type { PlanEntry } from "./plan-entry.ts";
import { left, type WriteBench, type Written } from "./write-bench.ts";

/** Writes into the file that is there, for those that a swap would cut off from their other names or attributes. Checked before and after. */
export function writeInPlace(folder: Folder, entry: PlanEntry, { blobs, between, sync }: WriteBench): Written {
	const { target } = entry;
	if (target.kind !== "file") return left("failed");
	const bytes = blobs.get(target.hash);
	if (bytes === undefined) return left("expired");
	const file = openSync(folder.at(nameOf(entry.path)), constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
	try {
		between("opened");
		const now = stateOf(file);
		if (isSameState(now, target)) return { done: true };
		if (!isSameState(now, entry.expected)) return left("changed-meanwhile");
		for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, at);
		const mixed = mixedOf(bytes, blobs, entry.expected);
		between("written");
		// Somebody wrote into it as well: cutting it to our length would cut theirs.
		if (mixed === undefined || stateOf(file).hash !== mixed) return left("changed-meanwhile");
		ftruncateSync(file, bytes.length);
		fchmodSync(file, target.mode);
		if (sync) fdatasyncSync(file);
		between("in place");
		return isSameState(stateOf(file), target) ? { done: true } : left("changed-meanwhile");
	} finally {
		closeSync(file);
	}
}

/** Is this what a crash left of `writeInPlace`: the beginning of the new bytes, then the rest of the old ones? */
export function isHalfWritten(now: Uint8Array, { before, after }: { before: Uint8Array; after: Uint8Array }): boolean {
	let written = 0;
	while (written < now.length && written < after.length && now[written] === after[written]) written++;
	let from = now.length;
	if (now.length === before.length) while (from > 0 && now[from - 1] === before[from - 1]) from--;
	return from <= written;
}

/** The hash of the new bytes with what they do not cover of the old ones. */
function mixedOf(bytes: Uint8Array, blobs: Blobs, expected: PathState): string | undefined {
	const old = expected.kind === "file" ? blobs.get(expected.hash) : undefined;
	return old && hashOf(Buffer.concat([bytes, old.subarray(bytes.length)]));
}

function stateOf(file: number): PathState & { kind: "file" } {
	const stat = fstatSync(file);
	const bytes = Buffer.alloc(stat.size);
	let length = 0;
	for (let got = -1; got !== 0 && length < bytes.length; length += got) got = readSync(file, bytes, length, bytes.length - length, length);
	const content = bytes.subarray(0, length);
	return { kind: "file", hash: hashOf(content), size: length, mode: modeOf(stat) };
}
