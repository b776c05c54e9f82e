import { nameOf } from "../paths/byte-path.ts";
import { applyNewRules, lookAtEverything, lookAtPath } from "../walk/look.ts";
import { MAX_FILE_BYTES } from "../walk/read-path.ts";
import { readWithin } from "../walk/read-within.ts";
import { childPath, isSameStat, leafStat, type Walk } from "../walk/tree.ts";

/** What one sync point may cost. */
export interface PassLimits {
	readonly ms: number;
	readonly bytes: number;
	/** What it has found is written down this often; a second unless a test says otherwise. */
	readonly flushMs?: number;
}

/** Brings what is known up to date: what the watcher names, or everything. */
export function runPass(walk: Walk, { full, named, limits }: { full: boolean; named: Iterable<string>; limits: PassLimits }): void {
	walk.budget = { until: performance.now() + limits.ms, bytes: limits.bytes };
	drain(walk);
	const dirty = new Set([...walk.dirty, ...walk.racy, ...named]);
	const everything = full || walk.lost || !isWatching(walk);
	walk.dirty.clear();
	walk.lost = false;
	if (everything) lookAtEverything(walk);
	// Folders come before what is in them.
	for (const path of [...dirty].sort()) if (!everything || walk.wanted.has(path)) lookAtPath(walk, path);
	if (walk.newRules.size > 0) applyNewRules(walk);
}

/** Every folder has its watch, so that nothing happens unseen. */
export const isWatching = (walk: Walk): boolean => walk.watcher !== undefined && walk.top.watch >= 0 && !walk.blind;

/** Takes what the watcher has to say, before its queue is full; looks at nothing. */
export function drain(walk: Walk): void {
	const complete = walk.watcher?.drain(({ watch, name, gone }) => {
		const folder = walk.watched.get(watch);
		if (folder === undefined) return;
		walk.dirty.add(name === "" ? folder.path : childPath(folder, name));
		if (!gone) return;
		folder.watch = -1;
		walk.watched.delete(watch);
	});
	if (complete === false || walk.dirty.size > MAX_DIRTY) {
		walk.lost = true;
		walk.dirty.clear();
	}
}

/** Beyond this many names a full look costs less. */
const MAX_DIRTY = 50_000;

/** Copies files that are known by name only, until the time is up. A file that changed meanwhile is left to the next pass. */
export function copyPending(walk: Walk, until: number, only?: string): void {
	const paths = only === undefined ? walk.pending.keys() : [only];
	// A file that somebody names is copied whatever the first copy has cost so far.
	walk.budget = { until: Number.POSITIVE_INFINITY, bytes: only === undefined ? walk.copyBytes : MAX_FILE_BYTES };
	for (const path of paths) {
		if (performance.now() > until) return;
		const leaf = walk.pending.get(path);
		if (leaf === undefined) continue;
		walk.pending.delete(path);
		walk.events.progress();
		const found = readWithin(walk, path, leaf.stat);
		if (only === undefined) walk.copyBytes = walk.budget.bytes;
		if (found.stat !== undefined && !isSameStat(leafStat(nameOf(path), found.stat), leaf.stat)) {
			// What it was when it was first seen is not known any more.
			walk.racy.add(path);
			continue;
		}
		if (found.state.kind === "absent" || found.state.kind === "folder") continue;
		leaf.state = found.state;
		walk.inGit.delete(path);
		walk.events.touched(path, leaf);
		walk.events.copied(path, leaf);
	}
}
