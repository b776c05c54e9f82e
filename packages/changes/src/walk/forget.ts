import type { PathState } from "../model.ts";
import { bytePath } from "../paths/byte-path.ts";
import { knownState } from "./known-state.ts";
import { ABSENT, childPath, type Folder, type Leaf, type Walk } from "./tree.ts";

/** It is gone, with all below it. */
export function forget(walk: Walk, folder: Folder, name: string, node: Leaf | Folder): void {
	const path = childPath(folder, name);
	if (node.kind === "folder") {
		forgetChildren(walk, node);
		unwatch(walk, node);
		walk.newRules.delete(node);
	} else if (name === ".gitignore") walk.newRules.set(folder, undefined);
	const before = knownState(walk, path, node);
	if (node.kind === "leaf") dropLeaf(walk, path);
	folder.children.delete(name);
	if (node.kind === "leaf" || !node.partial) tell(walk, path, before, undefined, { after: ABSENT, isNew: false });
	else walk.events.touched(path, undefined);
}

/** All below it is gone. */
export function forgetChildren(walk: Walk, folder: Folder): void {
	for (const [name, node] of [...folder.children]) forget(walk, folder, name, node);
}

function unwatch(walk: Walk, folder: Folder): void {
	if (walk.watched.get(folder.watch) !== folder) return;
	walk.watched.delete(folder.watch);
	walk.watcher?.remove(folder.watch);
}

/** This leaf is no longer known. */
export function dropLeaf(walk: Walk, path: string): void {
	walk.files -= 1;
	walk.racy.delete(path);
	walk.pending.delete(path);
	walk.inGit.delete(path);
}

/** What is known of a path is another now; the pass says whether that is told. */
export function tell(
	walk: Walk,
	path: string,
	before: PathState,
	node: Leaf | Folder | undefined,
	{ after, isNew }: { after: PathState; isNew: boolean },
): void {
	walk.events.touched(path, node);
	const isSilent = walk.mode === "quiet" || (walk.mode === "baseline" && isNew);
	if (!isSilent) walk.events.difference(bytePath(path), before, after);
}
