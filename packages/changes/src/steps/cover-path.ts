import { StoreFullError } from "../blobs/store-full.ts";
import { bytePath, nameOf, parentOf } from "../paths/byte-path.ts";
import { adopt, lookAtPath } from "../walk/look.ts";
import { MAX_FILE_BYTES } from "../walk/read-path.ts";
import { findFolder, isIgnored, stateOf, type Walk } from "../walk/tree.ts";
import { type Naming, stateBefore, wasAbsent } from "./state-before.ts";
import { isSameState } from "./state-code.ts";
import { copyPending } from "./sync-pass.ts";

/** Covers a named path of the root, ignored or not. What is known of it by now is told; false: it may have been removed before it was named. */
export function coverPath(walk: Walk, path: string, naming: Naming): boolean {
	if (isInSight(walk, path)) {
		walk.wanted.add(path);
		copyPending(walk, Number.POSITIVE_INFINITY, path);
		walk.budget.bytes = MAX_FILE_BYTES;
		lookAtPath(walk, path);
		return true;
	}
	walk.mode = "baseline";
	adopt(walk, path);
	copyPending(walk, Number.POSITIVE_INFINITY, path);
	walk.mode = "record";
	const leaf = findFolder(walk, parentOf(path))?.children.get(nameOf(path));
	if (leaf === undefined) return wasAbsent(`${walk.root}/${parentOf(path)}`.replace(/\/$/, ""), naming);
	if (leaf.kind !== "leaf") return true;
	const now = stateOf(leaf);
	const before = stateBefore(now, leaf.stat.ctimeMs, naming, (bytes) => isKept(walk, bytes));
	if (!isSameState(before, now)) walk.events.difference(bytePath(path), before, now);
	return true;
}

/** It is known, or it would be if it had been there at the last sync point. */
function isInSight(walk: Walk, path: string): boolean {
	let folder = walk.top;
	if (folder.away) return false;
	const names = path.split("/");
	for (const [at, name] of names.entries()) {
		const child = folder.children.get(name);
		if (child?.kind === "folder") {
			if (child.away) return false;
			folder = child;
			continue;
		}
		if (child !== undefined) return true;
		const below = names.slice(at).map((_, more) => names.slice(0, at + more + 1).join("/"));
		return walk.files < walk.maxFiles && !below.some((part) => isIgnored(walk, folder, part, part !== path));
	}
	return true;
}

function isKept(walk: Walk, bytes: Uint8Array): boolean {
	try {
		walk.store(bytes);
		return true;
	} catch (error) {
		if (!(error instanceof StoreFullError)) throw error;
		return false;
	}
}
