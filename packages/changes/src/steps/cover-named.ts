import { addMissed, type NewStep } from "../index/change-rows.ts";
import type { ChangesIndex } from "../index/open-index.ts";
import type { Blobs, BytePath, NotCoveredReason, PathState } from "../model.ts";
import { nameOf, parentOf } from "../paths/byte-path.ts";
import { isOwnFile, type OwnFiles } from "../paths/own-files.ts";
import { readPath } from "../walk/read-path.ts";
import type { Walk } from "../walk/tree.ts";
import type { Window } from "./attribution.ts";
import { coverPath } from "./cover-path.ts";
import { createNamedFiles } from "./named-files.ts";
import type { Naming } from "./state-before.ts";

/** Files that windows name, in the root and elsewhere. Paths are absolute. */
export interface Coverage {
	/** Covers them wherever they lie. What was written before they were named is told, as differences of the walk or as steps, or said not to be known. */
	cover(window: Window, paths: Iterable<string>, naming: Naming): NewStep[];
	/** Names what the window may have removed before it named it. */
	noteRemoved(window: Window): void;
	/** What became of those outside the root. */
	look(): NewStep[];
	/** Only these are still named. */
	keep(paths: ReadonlySet<string>): void;
	/** Those of the root, below it: what is ignored or not there yet is in no listing. */
	inRoot(paths: ReadonlySet<string>): string[];
}

export function createCoverage(deps: {
	walk: Walk;
	root: string;
	refused: boolean;
	own: OwnFiles;
	index: ChangesIndex;
	blobs: Blobs;
	now(): number;
}): Coverage {
	const { walk, root, refused, index, now } = deps;
	const outside = createNamedFiles(deps.blobs, root);
	const below = (path: string) => (!refused && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : undefined);
	/** Why it is not covered, whoever names it. */
	function leftOut(path: string, isOutside: boolean): NotCoveredReason | undefined {
		if (isOwnFile(path, deps.own)) return "own-files";
		return isOutside && IN_GIT.test(path) ? "git-directory" : undefined;
	}
	const stepsInto = (steps: NewStep[]) => (folder: string, path: BytePath, before: PathState, after: PathState) =>
		void steps.push({ root: folder, path, before, after, at: now() });

	return {
		cover({ changeId, doubtful }, paths, naming) {
			const steps: NewStep[] = [];
			for (const path of paths) {
				const inside = below(path);
				const reason = leftOut(path, inside === undefined);
				if (reason !== undefined) {
					addMissed(index, { changeId, root: parentOf(path), path: nameOf(path), reason });
					continue;
				}
				const isSure =
					inside === undefined ? outside.add(path, naming, stepsInto(steps)) : isExcluded(walk, inside) || coverPath(walk, inside, naming);
				if (isSure) doubtful.delete(path);
				else doubtful.add(path);
			}
			return steps;
		},
		noteRemoved({ changeId, doubtful }) {
			for (const path of doubtful) {
				const folder = parentOf(path) || "/";
				if (readPath(folder, nameOf(path)).state.kind !== "absent") continue;
				const inside = below(path);
				const place = inside === undefined ? { root: folder, path: nameOf(path) } : { root, path: inside };
				addMissed(index, { changeId, ...place, reason: "not-copied" });
			}
		},
		look() {
			const steps: NewStep[] = [];
			outside.look(stepsInto(steps));
			return steps;
		},
		keep: outside.keep,
		inRoot: (paths) => [...paths].flatMap((path) => below(path) ?? []).filter((path) => !isExcluded(walk, path)),
	};
}

const IN_GIT = /(?:^|\/)\.git(?:\/|$)/;

/** Nothing of `.git` and of our own is covered, whoever names it. */
const isExcluded = (walk: Walk, path: string) =>
	IN_GIT.test(path) || [...walk.excluded].some((own) => path === own || path.startsWith(`${own}/`));
