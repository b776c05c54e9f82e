import type { Stats } from "node:fs";
import type { IgnoreRules } from "../ignore/ignore-rules.ts";
import type { BytePath, NotCoveredReason, PathState } from "../model.ts";
import type { Watcher } from "../watch/watcher.ts";
import { modeOf } from "./read-path.ts";

/** What `lstat` says, as far as it tells whether a file was touched. */
export interface LeafStat {
	readonly ino: number;
	readonly size: number;
	readonly mtimeMs: number;
	readonly ctimeMs: number;
	readonly mode: number;
}

/** What is known of a path that is no folder. */
export interface Leaf {
	readonly kind: "leaf";
	/** Undefined until it is copied for the first time. */
	state: PathState | undefined;
	stat: LeafStat;
}

export interface Folder {
	readonly kind: "folder";
	readonly parent: Folder | undefined;
	/** Below the root; empty for the root itself. */
	readonly path: string;
	readonly children: Map<string, Leaf | Folder>;
	mode: number;
	/** The disk; negative when it is not known. */
	dev: number;
	ino: number;
	/** Of the watcher; negative when it is not watched. */
	watch: number;
	rules: IgnoreRules | undefined;
	/** Ignored itself: only the children that are known by name are looked at. */
	readonly partial: boolean;
	/** Another disk is mounted there, or no longer: what is known of it is kept, and nothing is concluded. */
	away: boolean;
}

/**
 * What a pass does with what it finds. `record`: every difference is told. `baseline`: what was not known becomes known and is copied later, without a word.
 * `quiet`: nothing is told, nobody was watching.
 */
export type WalkMode = "record" | "baseline" | "quiet";

export interface WalkEvents {
	/** Another folder was looked at: the disk answers. */
	progress(): void;
	difference(path: BytePath, before: PathState, after: PathState): void;
	/** An empty path is the whole root. */
	missed(path: string, reason: NotCoveredReason): void;
	/** What is known of this path is another now; undefined: nothing any more. */
	touched(path: string, node: Leaf | Folder | undefined): void;
	/** It was copied, and is as it was when it was last looked at. */
	copied(path: string, leaf: Leaf): void;
}

/** What one pass may cost. */
export interface WalkBudget {
	/** `performance.now()` after which nothing more is read. */
	until: number;
	/** Bytes that may still be read. */
	bytes: number;
}

/** The known state of a root, and what is needed to bring it up to date. */
export interface Walk {
	/** Real path, latin1 of its bytes. */
	readonly root: string;
	readonly top: Folder;
	readonly watcher: Watcher | undefined;
	/** Watched folders by the watcher's number. */
	readonly watched: Map<number, Folder>;
	/** Rules that hold below the `.gitignore` files. */
	readonly outerRules: readonly IgnoreRules[];
	/** Covered although ignored, because an edit tool named them. */
	readonly wanted: Set<string>;
	/** Never looked at: our own files. */
	readonly excluded: ReadonlySet<string>;
	/** To be looked at again next time, whatever their times say: read within a moment of their last change. */
	readonly racy: Set<string>;
	/** What the watcher named since the last pass. */
	readonly dirty: Set<string>;
	/** Not copied yet. */
	readonly pending: Map<string, Leaf>;
	/** Objects (20 bytes, latin1) with the contents of files that are not copied yet. */
	readonly inGit: Map<string, string>;
	/** Rules that changed; they hold from the end of the pass on. */
	readonly newRules: Map<Folder, IgnoreRules | undefined>;
	readonly maxFiles: number;
	readonly events: WalkEvents;
	/** Keeps contents; throws `StoreFullError`. */
	store(bytes: Uint8Array): string;
	/** Contents of an object of the repository; undefined when they cannot be had. */
	readObject(id: string): Uint8Array | undefined;
	files: number;
	/** Some of what the watcher had to say is lost. */
	lost: boolean;
	/** The watcher refused a folder: from now on everything is looked at each time. */
	blind: boolean;
	/** Bytes that may still be copied in the background. */
	copyBytes: number;
	mode: WalkMode;
	budget: WalkBudget;
}

export const ABSENT: PathState = { kind: "absent" };

export type WalkOptions = Pick<Walk, "root" | "watcher" | "outerRules" | "excluded" | "maxFiles" | "events" | "store" | "readObject"> & {
	maxCopyBytes: number;
};

export function createWalk(options: WalkOptions): Walk {
	return {
		...options,
		top: newFolder(undefined, "", { mode: 0, dev: -1, ino: 0 }, false),
		watched: new Map(),
		wanted: new Set(),
		racy: new Set(),
		dirty: new Set(),
		pending: new Map(),
		inGit: new Map(),
		newRules: new Map(),
		files: 0,
		lost: false,
		blind: false,
		copyBytes: options.maxCopyBytes,
		mode: "baseline",
		budget: { until: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY },
	};
}

export function newFolder(
	parent: Folder | undefined,
	path: string,
	at: { mode: number; dev: number; ino: number },
	partial: boolean,
): Folder {
	return { kind: "folder", parent, path, children: new Map(), ...at, watch: -1, rules: undefined, partial, away: false };
}

export const stateOf = (node: Leaf | Folder): PathState =>
	node.kind === "folder" ? { kind: "folder", mode: node.mode } : (node.state ?? { kind: "unknown", reason: "not-copied" });

/** Pipes, sockets, devices and `.git` are used without being changed: only which they are counts. */
export function leafStat(name: string, stat: Stats): LeafStat {
	const { ino, size, mtimeMs, ctimeMs, mode } = stat;
	if (name === ".git") return { ino, size: 0, mtimeMs: 0, ctimeMs: 0, mode: stat.mode - modeOf(stat) };
	if (!stat.isFile() && !stat.isSymbolicLink()) return { ino, size: 0, mtimeMs: 0, ctimeMs: 0, mode };
	return { ino, size, mtimeMs, ctimeMs, mode };
}

/** All must agree before what is known is believed. */
export const isSameStat = (one: LeafStat, other: LeafStat): boolean =>
	one.ctimeMs === other.ctimeMs &&
	one.mtimeMs === other.mtimeMs &&
	one.size === other.size &&
	one.ino === other.ino &&
	one.mode === other.mode;

/** The known folder; undefined when there is none, or one above it is away. */
export function findFolder(walk: Walk, path: string): Folder | undefined {
	let folder = walk.top;
	if (path === "") return folder.away ? undefined : folder;
	for (const name of path.split("/")) {
		const child = folder.children.get(name);
		if (child?.kind !== "folder" || child.away || folder.away) return undefined;
		folder = child;
	}
	return folder;
}

export const childPath = (folder: Folder, name: string): string => (folder.path === "" ? name : `${folder.path}/${name}`);

/** Is this unknown path left alone? The folder that it is in is known, so it is not ignored itself. */
export function isIgnored(walk: Walk, folder: Folder, path: string, isFolder: boolean): boolean {
	if (folder.partial) return true;
	for (let at: Folder | undefined = folder; at !== undefined; at = at.parent) {
		const verdict = at.rules?.judge(at.path === "" ? path : path.slice(at.path.length + 1), isFolder);
		if (verdict !== undefined) return verdict;
	}
	for (const rules of walk.outerRules) {
		const verdict = rules.judge(path, isFolder);
		if (verdict !== undefined) return verdict;
	}
	return false;
}
