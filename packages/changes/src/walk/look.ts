import { lstatSync, readdirSync, type Stats } from "node:fs";
import { parseIgnoreRules } from "../ignore/ignore-rules.ts";
import type { PathState } from "../model.ts";
import { fsPath, nameOf, parentOf } from "../paths/byte-path.ts";
import { isSameState } from "../steps/state-code.ts";
import { dropLeaf, forget, forgetChildren, tell } from "./forget.ts";
import { knownState } from "./known-state.ts";
import { isGone, modeOf, type Reading, readPath } from "./read-path.ts";
import { mayRead, readWithin } from "./read-within.ts";
import {
	ABSENT,
	childPath,
	type Folder,
	findFolder,
	isIgnored,
	isSameStat,
	type Leaf,
	leafStat,
	newFolder,
	stateOf,
	type Walk,
} from "./tree.ts";

/** Looks at the whole root. */
export function lookAtEverything(walk: Walk): void {
	const stat = statOf(walk, "");
	const { top } = walk;
	if (stat === "unreadable") {
		walk.events.missed("", "unreadable");
		return;
	}
	if (stat === undefined || !stat.isDirectory()) {
		forgetChildren(walk, top);
		return;
	}
	top.away = isElsewhere(top, stat);
	if (top.away) {
		walk.events.missed("", "unreadable");
		return;
	}
	Object.assign(top, { dev: stat.dev, ino: stat.ino, mode: modeOf(stat) });
	scan(walk, top);
}

/** Looks at one path that may have changed, and at all below it if it is new. */
export function lookAtPath(walk: Walk, path: string): void {
	if (path === "") {
		lookAtEverything(walk);
		return;
	}
	const folder = findFolder(walk, parentOf(path));
	if (folder !== undefined) lookAt(walk, folder, nameOf(path), false);
	else if (walk.wanted.has(path)) adopt(walk, path);
}

/** Covers this path although it is ignored; the folders above it only as far as they lead to it. */
export function adopt(walk: Walk, path: string): void {
	walk.wanted.add(path);
	let folder = walk.top;
	for (const name of parentOf(path)
		.split("/")
		.filter((part) => part !== "")) {
		if (!folder.children.has(name)) {
			const below = childPath(folder, name);
			const stat = statOf(walk, below);
			if (stat === undefined || stat === "unreadable" || !stat.isDirectory() || name === ".git") return;
			if (!isIgnored(walk, folder, below, true)) lookAt(walk, folder, name, false);
			else {
				const made = newFolder(folder, below, { mode: modeOf(stat), dev: stat.dev, ino: stat.ino }, true);
				folder.children.set(name, made);
				walk.events.touched(below, made);
				watch(walk, made);
			}
		}
		const child = folder.children.get(name);
		if (child?.kind !== "folder" || child.away) return;
		folder = child;
	}
	lookAt(walk, folder, nameOf(path), false);
}

/** From now on the new rules hold; what they no longer ignore was there before, so it becomes known without a word. */
export function applyNewRules(walk: Walk): void {
	const changed = [...walk.newRules];
	walk.newRules.clear();
	for (const [folder, rules] of changed) folder.rules = rules;
	const { mode } = walk;
	if (mode === "record") walk.mode = "baseline";
	for (const [folder] of changed) if (findFolder(walk, folder.path) === folder) scan(walk, folder);
	walk.mode = mode;
}

/** Watched before it is listed, so that nothing falls between. */
function scan(walk: Walk, folder: Folder): void {
	watch(walk, folder);
	const names = folder.partial ? [...folder.children.keys()] : list(walk, folder);
	if (names === undefined) return;
	if (folder.rules === undefined && names.includes(".gitignore")) {
		const { bytes } = readPath(walk.root, childPath(folder, ".gitignore"));
		if (bytes !== undefined) folder.rules = parseIgnoreRules(Buffer.from(bytes).toString("latin1"));
	}
	const listed = new Set(names);
	for (const name of names) lookAt(walk, folder, name, true);
	// A listing is no snapshot: what was renamed meanwhile may be missing in it.
	for (const name of [...folder.children.keys()]) if (!listed.has(name)) lookAt(walk, folder, name, true);
}

function list(walk: Walk, folder: Folder): string[] | undefined {
	walk.events.progress();
	try {
		return readdirSync(fsPath(walk.root, folder.path), { encoding: "latin1" });
	} catch (error) {
		// One that is gone is found so by whoever looks at its parent.
		if (!isGone(error)) walk.events.missed(folder.path, "unreadable");
		return undefined;
	}
}

function watch(walk: Walk, folder: Folder): void {
	const { watcher, watched } = walk;
	if (watcher === undefined) return;
	const before = folder.watch;
	folder.watch = watcher.add(fsPath(walk.root, folder.path));
	// A folder that was moved keeps its number, and may be another one's by now.
	if (before >= 0 && before !== folder.watch && watched.get(before) === folder) {
		watched.delete(before);
		watcher.remove(before);
	}
	if (folder.watch >= 0) watched.set(folder.watch, folder);
	else walk.blind = true;
}

function lookAt(walk: Walk, folder: Folder, name: string, deep: boolean): void {
	const path = childPath(folder, name);
	if (walk.excluded.has(path)) return;
	const known = folder.children.get(name);
	const stat = statOf(walk, path);
	if (stat === "unreadable" || stat === undefined) {
		if (known === undefined) return;
		if (stat === undefined) forget(walk, folder, name, known);
		else walk.events.missed(path, "unreadable");
		return;
	}
	const isFolder = stat.isDirectory() && name !== ".git";
	if (known === undefined && !walk.wanted.has(path) && name !== ".git" && isIgnored(walk, folder, path, isFolder)) return;
	if (isFolder) lookAtFolder(walk, folder, name, { known, stat, deep });
	else lookAtLeaf(walk, folder, name, { known, stat });
}

function lookAtFolder(
	walk: Walk,
	parent: Folder,
	name: string,
	seen: { known: Leaf | Folder | undefined; stat: Stats; deep: boolean },
): void {
	const { known, stat, deep } = seen;
	const path = childPath(parent, name);
	const mode = modeOf(stat);
	if (known?.kind === "folder") {
		known.away = isElsewhere(known, stat);
		if (known.away) {
			walk.events.missed(path, "unreadable");
			return;
		}
		const before = stateOf(known);
		const isAnother = known.ino !== stat.ino || (walk.watcher !== undefined && known.watch < 0);
		Object.assign(known, { dev: stat.dev, ino: stat.ino, mode });
		if (!isSameState(before, { kind: "folder", mode })) tell(walk, path, before, known, { after: stateOf(known), isNew: false });
		if (deep || isAnother) scan(walk, known);
		return;
	}
	const made = newFolder(parent, path, { mode, dev: stat.dev, ino: stat.ino }, false);
	const before = known === undefined ? ABSENT : knownState(walk, path, known);
	if (known !== undefined) dropLeaf(walk, path);
	parent.children.set(name, made);
	tell(walk, path, before, made, { after: stateOf(made), isNew: known === undefined });
	scan(walk, made);
}

/** Another disk than before. Numbers of disks do not outlive a restart of the machine, so what was read from the index has none. */
const isElsewhere = (folder: Folder, stat: Stats) => folder.dev >= 0 && folder.dev !== stat.dev;

function lookAtLeaf(walk: Walk, folder: Folder, name: string, { known, stat }: { known: Leaf | Folder | undefined; stat: Stats }): void {
	const path = childPath(folder, name);
	const now = leafStat(name, stat);
	if (known?.kind === "leaf" && isSameStat(known.stat, now) && !(walk.racy.has(path) && mayRead(walk, stat))) return;
	if (known === undefined && walk.files >= walk.maxFiles) {
		walk.events.missed("", "too-many-files");
		return;
	}
	if (known?.kind === "folder") forgetChildren(walk, known);
	const before = known === undefined ? ABSENT : knownState(walk, path, known);
	walk.inGit.delete(path);
	const isQuiet = walk.mode === "quiet" || (walk.mode === "baseline" && known === undefined);
	const leaf: Leaf = known?.kind === "leaf" ? known : { kind: "leaf", state: undefined, stat: now };
	if (leaf !== known) {
		folder.children.set(name, leaf);
		walk.files += 1;
	}
	if (isQuiet && name !== ".git") {
		Object.assign(leaf, { stat: now, state: undefined });
		walk.pending.set(path, leaf);
		return;
	}
	const found = name === ".git" ? GIT : readWithin(walk, path, stat);
	if (found.state.kind === "absent" || found.state.kind === "folder") {
		lostMeanwhile(walk, folder, name, { known, isFolder: found.state.kind === "folder" });
		return;
	}
	walk.pending.delete(path);
	const hasMoved = !isSameStat(leaf.stat, now);
	leaf.stat = found.stat === undefined ? now : leafStat(name, found.stat);
	leaf.state = found.state;
	if (isPutOff(found.state)) {
		leaf.state = undefined;
		walk.pending.set(path, leaf);
	}
	if (name === ".gitignore") noteRules(walk, folder, found);
	const isOpaque = found.state.kind === "unknown" && before.kind === "unknown" && hasMoved;
	if (isOpaque || !isSameState(before, found.state)) tell(walk, path, before, leaf, { after: found.state, isNew: known === undefined });
	else walk.events.touched(path, leaf);
}

/** Not read now, but it can be: it is copied later, without a word. */
const isPutOff = (state: PathState) => state.kind === "unknown" && (state.reason === "too-slow" || state.reason === "too-much");

/** It was there when it was looked at, and not when it was read. */
function lostMeanwhile(
	walk: Walk,
	folder: Folder,
	name: string,
	{ known, isFolder }: { known: Leaf | Folder | undefined; isFolder: boolean },
): void {
	const path = childPath(folder, name);
	if (known === undefined) {
		dropLeaf(walk, path);
		folder.children.delete(name);
	} else if (!isFolder) forget(walk, folder, name, folder.children.get(name) ?? known);
	// A folder since: the next pass finds out.
	if (isFolder) walk.racy.add(path);
}

const GIT: Reading = { state: { kind: "unknown", reason: "git-directory" } };

function noteRules(walk: Walk, folder: Folder, { bytes }: Reading): void {
	walk.newRules.set(folder, bytes && parseIgnoreRules(Buffer.from(bytes).toString("latin1")));
}

function statOf(walk: Walk, path: string): Stats | "unreadable" | undefined {
	try {
		return lstatSync(fsPath(walk.root, path), { throwIfNoEntry: false });
	} catch (error) {
		return isGone(error) ? undefined : "unreadable";
	}
}
