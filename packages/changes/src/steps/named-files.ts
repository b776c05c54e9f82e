import { lstatSync, realpathSync } from "node:fs";
import { StoreFullError } from "../blobs/store-full.ts";
import type { Blobs, BytePath, PathState } from "../model.ts";
import { bytePath, fsPath, isBytePath, latin1Of, nameOf, parentOf } from "../paths/byte-path.ts";
import { readPath } from "../walk/read-path.ts";
import { RACY_MS } from "../walk/read-within.ts";
import { isSameStat, type LeafStat, leafStat } from "../walk/tree.ts";
import { type Naming, stateBefore, wasAbsent } from "./state-before.ts";
import { isSameState } from "./state-code.ts";

type Differ = (root: string, path: BytePath, before: PathState, after: PathState) => void;

/** Files that edit tools named and that lie in no root that is recorded. */
export interface NamedFiles {
	/** Absolute and real, latin1. Twice is fine. What is known of it by then is told as a difference; false: it may have been removed before it was named. */
	add(path: string, naming: Naming, onDifference: Differ): boolean;
	/** Looks at all of them; what happened to those that nobody names any more is not told. */
	look(onDifference: Differ): void;
	/** Nobody names the others any more; some on the root's own disk are kept in sight, because tools come back to the same files. */
	keep(paths: ReadonlySet<string>): void;
}

/** Files that are named at the same time; further ones are not covered. */
export const MAX_NAMED = 1_000;
/** Files that are kept in sight although nobody names them any more; the longest unused goes first. */
export const MAX_REMEMBERED = 64;

interface NamedFile {
	state: PathState;
	/** Missing when it has to be read again, whatever its times say. */
	stat: LeafStat | undefined;
	/** The disk; undefined when nothing is there. */
	dev: number | undefined;
	isNamed: boolean;
}

/** `root`: whose disk must answer anyway; what lies on another one must not hold it up when nobody needs it. */
export function createNamedFiles(blobs: Blobs, root: string): NamedFiles {
	const known = new Map<string, NamedFile>();

	function rootDisk(): number | undefined {
		try {
			return lstatSync(fsPath(root, ""), { throwIfNoEntry: false })?.dev;
		} catch {
			// Not to be found out: then nothing is kept in sight.
			return undefined;
		}
	}
	function put(bytes: Uint8Array): boolean {
		try {
			blobs.put(bytes);
			return true;
		} catch (error) {
			if (!(error instanceof StoreFullError)) throw error;
			return false;
		}
	}
	function read(path: string): Omit<NamedFile, "isNamed"> {
		const { state, bytes, stat } = readPath(parentOf(path) || "/", nameOf(path));
		if (bytes !== undefined && !put(bytes)) return { state: { kind: "unknown", reason: "disk-full" }, stat: undefined, dev: undefined };
		const isRacy = stat === undefined || Date.now() - stat.ctimeMs < RACY_MS;
		return { state, stat: isRacy ? undefined : leafStat(nameOf(path), stat), dev: stat?.dev };
	}
	function lookAt(path: string, file: NamedFile, onDifference: Differ): void {
		if (file.stat !== undefined && isUntouched(path, file.stat)) return;
		const before = file.state;
		Object.assign(file, read(path));
		if (file.isNamed && !isSameState(before, file.state)) onDifference(parentOf(path) || "/", bytePath(nameOf(path)), before, file.state);
	}

	return {
		add(path, naming, onDifference) {
			if (!isBytePath(nameOf(path))) return true;
			const file = known.get(path);
			if (file !== undefined) {
				// As it was at the last sync point.
				if (file.isNamed || !naming.isTimely) Object.assign(file, { isNamed: true });
				else Object.assign(file, read(path), { isNamed: true });
				lookAt(path, file, onDifference);
				return true;
			}
			if ([...known.values()].filter(({ isNamed }) => isNamed).length >= MAX_NAMED) {
				known.set(path, { state: { kind: "unknown", reason: "too-many-files" }, stat: undefined, dev: undefined, isNamed: true });
				return true;
			}
			const now = read(path);
			known.set(path, { ...now, isNamed: true });
			if (now.state.kind === "absent") return wasAbsent(parentOf(path) || "/", naming);
			const before = stateBefore(now.state, now.stat?.ctimeMs, naming, put);
			if (!isSameState(before, now.state)) onDifference(parentOf(path) || "/", bytePath(nameOf(path)), before, now.state);
			return true;
		},
		look(onDifference) {
			for (const [path, file] of known) lookAt(path, file, onDifference);
		},
		keep(paths) {
			for (const [path, file] of [...known]) {
				if (paths.has(path) || !file.isNamed) continue;
				known.delete(path);
				if (file.dev !== undefined && file.dev === rootDisk() && file.state.kind !== "unknown")
					known.set(path, { ...file, isNamed: false });
			}
			const idle = [...known].filter(([, { isNamed }]) => !isNamed);
			for (const [path] of idle.slice(0, Math.max(0, idle.length - MAX_REMEMBERED))) known.delete(path);
		},
	};
}

function isUntouched(path: string, stat: LeafStat): boolean {
	try {
		const now = lstatSync(fsPath(path, ""), { throwIfNoEntry: false });
		return now !== undefined && isSameStat(leafStat(nameOf(path), now), stat);
	} catch {
		// Not to be found out: it is read, and that says why.
		return false;
	}
}

/** The real places, latin1, that writing to this path writes to: its name in its real folder, and where a link in its place leads. */
export function realPlaces(path: string): string[] {
	const bytes = latin1Of(path).replace(/\/+/g, "/");
	if (!bytes.startsWith("/") || !isBytePath(bytes.slice(1))) return [];
	const [folder, rest] = realFolder(parentOf(bytes));
	const named = `${folder === "/" ? "" : folder}/${rest}${nameOf(bytes)}`;
	const target = real(named);
	return target === undefined || target === named ? [named] : [named, target];
}

/** The nearest folder above that is there, and what is missing below it. */
function realFolder(path: string): [string, string] {
	for (let folder = path, rest = ""; folder !== ""; rest = `${nameOf(folder)}/${rest}`, folder = parentOf(folder)) {
		const found = real(folder);
		if (found !== undefined) return [found, rest];
	}
	return ["/", path === "" ? "" : `${path.slice(1)}/`];
}

function real(path: string): string | undefined {
	try {
		return realpathSync(fsPath(path, ""), { encoding: "buffer" }).toString("latin1");
	} catch {
		// Not there, or not to be found out: then it is what it is called.
		return undefined;
	}
}
