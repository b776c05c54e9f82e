import { StoreFullError } from "../blobs/store-full.ts";
import type { PathState } from "../model.ts";
import { hashOf } from "./read-path.ts";
import { mayRead } from "./read-within.ts";
import { type Folder, type Leaf, stateOf, type Walk } from "./tree.ts";

const LINK = 0o120000;

/** What is known of a path. A file that has changed, or gone, before it was copied is taken from the repository's objects where it was first seen as the index had it. */
export function knownState(walk: Walk, path: string, node: Leaf | Folder): PathState {
	if (node.kind === "folder" || node.state !== undefined || walk.mode === "quiet") return stateOf(node);
	const object = walk.inGit.get(path);
	if (object === undefined || !mayRead(walk, node.stat)) return stateOf(node);
	const bytes = walk.readObject(object);
	// Of another size: what was in the folder was made from it by a setting that we do not know.
	return bytes?.length === node.stat.size ? kept(walk, node.stat.mode, bytes) : stateOf(node);
}

function kept(walk: Walk, mode: number, bytes: Uint8Array): PathState {
	if ((mode & 0o170000) === LINK) return { kind: "link", target: Buffer.from(bytes).toString("latin1") };
	try {
		walk.store(bytes);
		walk.budget.bytes -= bytes.length;
		return { kind: "file", hash: hashOf(bytes), size: bytes.length, mode: mode & 0o7777 };
	} catch (error) {
		if (!(error instanceof StoreFullError)) throw error;
		return { kind: "unknown", reason: "disk-full" };
	}
}
