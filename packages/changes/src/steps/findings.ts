import type { PackStore } from "../blobs/pack-store.ts";
import { addMissed, addStep, type NewStep } from "../index/change-rows.ts";
import type { ChangesIndex } from "../index/open-index.ts";
import type { NotCoveredReason } from "../model.ts";
import type { Folder, Leaf, WalkEvents } from "../walk/tree.ts";
import { attribute } from "./attribution.ts";
import { saveKnown } from "./known-files.ts";
import type { OpenWindows } from "./open-windows.ts";
import type { OwedFiles } from "./owed-files.ts";

/** What a pass found, until it is saved. */
export interface Findings {
	readonly differences: readonly Pick<NewStep, "path" | "before" | "after">[];
	readonly notCovered: ReadonlyMap<string, NotCoveredReason>;
	readonly known: Map<string, Leaf | Folder | undefined>;
	readonly copied: ReadonlyMap<string, Leaf>;
	readonly events: WalkEvents;
	clear(): void;
}

export function createFindings(progress: () => void): Findings {
	const differences: Pick<NewStep, "path" | "before" | "after">[] = [];
	const notCovered = new Map<string, NotCoveredReason>();
	const known = new Map<string, Leaf | Folder | undefined>();
	const copied = new Map<string, Leaf>();
	const events: WalkEvents = {
		progress,
		difference: (path, before, after) => void differences.push({ path, before, after }),
		missed: (path, reason) => void notCovered.set(path, reason),
		touched: (path, node) => void known.set(path, node),
		copied: (path, leaf) => void copied.set(path, leaf),
	};
	return {
		...{ differences, notCovered, known, copied, events },
		clear() {
			differences.length = 0;
			notCovered.clear();
			known.clear();
			copied.clear();
		},
	};
}

/** Writes down what was found, each step for whoever was at work. */
export function saveFindings(
	deps: { index: ChangesIndex; blobs: PackStore; root: string; id: number; windows: OpenWindows; owed: OwedFiles },
	found: Findings,
	steps: readonly NewStep[],
): void {
	const { index, blobs, root, id, windows, owed } = deps;
	if (steps.length === 0 && found.known.size === 0 && found.notCovered.size === 0) return;
	const open = windows.list();
	index.transaction(() => {
		blobs.flush();
		owed.complete(found.copied);
		for (const step of steps) owed.add(step, addStep(index, step, attribute(`${step.root}/${step.path}`, open, windows.changes())));
		for (const changeId of windows.wholeChanges())
			for (const [path, reason] of found.notCovered) addMissed(index, { changeId, root, path, reason });
		saveKnown(index, id, found.known);
	});
	found.clear();
}
