import type { PathState } from "../model.ts";
import { nameOf } from "../paths/byte-path.ts";
import type { Folder } from "./folder.ts";
import { isEntry, isSameState } from "./path-states.ts";
import type { PlanEntry } from "./plan-entry.ts";
import { drop, keep, putBack, type WriteBench } from "./write-bench.ts";
import { isHalfWritten, writeInPlace } from "./write-in-place.ts";
import { swapBack } from "./write-path.ts";

/** After a crash: no name of ours is left beside the path, and what of others lay under one has its own name again, or is in the store. */
export function settleEntry(folder: Folder, entry: PlanEntry, bench: WriteBench): void {
	if (entry.inPlace) finishInPlace(folder, entry, bench);
	settleFresh(folder, entry, bench);
	settleAside(folder, entry, bench);
}

/** Under this name lies what was to come, or, after the swap, what was there. */
function settleFresh(folder: Folder, entry: PlanEntry, bench: WriteBench): void {
	const fresh = folder.read(entry.fresh);
	if (fresh.state.kind === "absent") return;
	const here = folder.read(nameOf(entry.path)).state;
	const isSwapped = isEntry(entry.expected) && isSameState(here, entry.target);
	if (isSameState(fresh.state, entry.expected) || isSameState(fresh.state, entry.target)) drop(folder, entry.fresh);
	else if (isSwapped) swapBack(folder, entry, bench);
	// Kept all the same: what somebody wrote may look like the beginning of what we would.
	else if (isBegun(fresh.bytes, entry.target, bench)) keep(folder, entry.fresh, bench);
	else if (here.kind !== "absent" || !putBack(folder, { from: entry.fresh, to: nameOf(entry.path) }, bench))
		keep(folder, entry.fresh, bench);
}

/** Under this name lies what was there. */
function settleAside(folder: Folder, entry: PlanEntry, bench: WriteBench): void {
	const aside = folder.read(entry.aside).state;
	if (aside.kind === "absent") return;
	const name = nameOf(entry.path);
	const isDone = isSameState(folder.read(name).state, entry.target) || entry.target.kind === "folder";
	if (isDone && isSameState(aside, entry.expected)) drop(folder, entry.aside);
	else if (!putBack(folder, { from: entry.aside, to: name }, bench)) keep(folder, entry.aside, bench);
}

/** The crash came while it was written. */
function isBegun(bytes: Uint8Array | undefined, target: PathState, { blobs }: WriteBench): boolean {
	const whole = target.kind === "file" ? blobs.get(target.hash) : undefined;
	return bytes !== undefined && whole !== undefined && Buffer.compare(bytes, whole.subarray(0, bytes.length)) === 0;
}

/** A file that is half old and half new is nobody's: it is written to the end first. */
function finishInPlace(folder: Folder, entry: PlanEntry, bench: WriteBench): void {
	const { state, bytes } = folder.read(nameOf(entry.path));
	if (entry.expected.kind !== "file" || entry.target.kind !== "file" || state.kind !== "file" || bytes === undefined) return;
	if (isSameState(state, entry.expected) || isSameState(state, entry.target)) return;
	const [before, after] = [bench.blobs.get(entry.expected.hash), bench.blobs.get(entry.target.hash)];
	if (before === undefined || after === undefined || !isHalfWritten(bytes, { before, after })) return;
	bench.blobs.put(bytes);
	writeInPlace(folder, { ...entry, expected: state }, bench);
}
