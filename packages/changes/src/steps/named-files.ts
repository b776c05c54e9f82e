import { realpathSync } from "node:fs";
import { StoreFullError } from "../blobs/store-full.ts";
import type { Blobs, BytePath, PathState } from "../model.ts";
import { bytePath, fsPath, isBytePath, latin1Of, nameOf, parentOf } from "../paths/byte-path.ts";
import { readPath } from "../walk/read-path.ts";
import { isSameState } from "./state-code.ts";

/** Files that edit tools named and that lie in no root that is recorded. How they were is kept when they are named. */
export interface NamedFiles {
	/** Absolute and real, latin1. Twice is fine. */
	add(path: string): void;
	/** Looks at all of them. */
	look(onDifference: (root: string, path: BytePath, before: PathState, after: PathState) => void): void;
	/** Only these are still needed. */
	keep(paths: ReadonlySet<string>): void;
}

/** Files that are named at the same time; further ones are not covered. */
export const MAX_NAMED = 1_000;

export function createNamedFiles(blobs: Blobs): NamedFiles {
	const known = new Map<string, PathState>();

	function read(path: string): PathState {
		const { state, bytes } = readPath(parentOf(path) || "/", nameOf(path));
		try {
			if (bytes !== undefined) blobs.put(bytes);
			return state;
		} catch (error) {
			if (!(error instanceof StoreFullError)) throw error;
			return { kind: "unknown", reason: "disk-full" };
		}
	}

	return {
		add(path) {
			if (!known.has(path) && isBytePath(nameOf(path)))
				known.set(path, known.size < MAX_NAMED ? read(path) : { kind: "unknown", reason: "too-many-files" });
		},
		look(onDifference) {
			for (const [path, before] of known) {
				const after = read(path);
				if (isSameState(before, after)) continue;
				known.set(path, after);
				onDifference(parentOf(path) || "/", bytePath(nameOf(path)), before, after);
			}
		},
		keep(paths) {
			for (const path of [...known.keys()]) if (!paths.has(path)) known.delete(path);
		},
	};
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
