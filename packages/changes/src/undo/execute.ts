import type { PathState } from "../model.ts";
import { parentOf } from "../paths/byte-path.ts";
import { type Folder, openFolder } from "./folder.ts";
import { isEntry } from "./path-states.ts";
import type { PlanEntry } from "./plan-entry.ts";
import { left, type WriteBench, type Written } from "./write-bench.ts";
import { makeFolder, remove, removeFolder, setMode, writeEntry } from "./write-path.ts";

/** Carries a plan out, in an order in which every folder is there before what is in it and empty before it goes. Says of every entry what became of it. */
export function execute(root: string, entries: readonly PlanEntry[], bench: WriteBench): Map<PlanEntry, Written> {
	const results = new Map<PlanEntry, Written>();
	const run = (chosen: readonly PlanEntry[], act: (folder: Folder, entry: PlanEntry) => Written) => {
		for (const entry of chosen) {
			if (results.get(entry)?.done === false) continue;
			results.set(entry, inFolder(root, entry, act));
		}
	};
	const deepestFirst = entries.toSorted((one, other) => depth(other) - depth(one) || order(one, other));
	const topFirst = entries.toSorted((one, other) => depth(one) - depth(other) || order(one, other));
	const isFolder = (state: PathState) => state.kind === "folder";
	run(
		deepestFirst.filter(({ expected, target }) => isEntry(expected) && !isEntry(target)),
		(folder, entry) => remove(folder, entry, bench),
	);
	run(
		deepestFirst.filter(({ expected, target }) => isFolder(expected) && !isFolder(target)),
		removeFolder,
	);
	run(
		topFirst.filter(({ expected, target }) => isFolder(target) && !isFolder(expected)),
		makeFolder,
	);
	// A folder, or what stood in the place of one, has gone by now.
	const write = (folder: Folder, entry: PlanEntry) =>
		writeEntry(folder, isEntry(entry.expected) ? entry : { ...entry, expected: { kind: "absent" } }, bench);
	const written = topFirst.filter(({ target }) => isEntry(target));
	run(
		written.filter(({ inPlace }) => !inPlace),
		write,
	);
	// Last: what is written in place changes under all of its names, also under those that are to be something else.
	run(
		written.filter(({ inPlace }) => inPlace),
		write,
	);
	run(
		deepestFirst.filter(({ target }) => isFolder(target)),
		(folder, entry) => setMode(folder, entry, bench, !isFolder(entry.expected)),
	);
	return results;
}

function inFolder(root: string, entry: PlanEntry, act: (folder: Folder, entry: PlanEntry) => Written): Written {
	const folder = openFolder(root, parentOf(entry.path));
	if (typeof folder === "string") return left(folder === "gone" ? "changed-meanwhile" : folder);
	try {
		return act(folder, entry);
	} finally {
		folder.close();
	}
}

const depth = ({ path }: PlanEntry) => path.split("/").length;
const order = (one: PlanEntry, other: PlanEntry) => (one.path < other.path ? -1 : 1);
