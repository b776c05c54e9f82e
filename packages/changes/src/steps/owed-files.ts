import { completeStep, type NewStep } from "../index/change-rows.ts";
import type { ChangesIndex } from "../index/open-index.ts";
import type { Leaf } from "../walk/tree.ts";

/** Files that a sync point had no more time to read. Each has a step that does not say yet what it led to. */
export interface OwedFiles {
	/** This step was saved. */
	add(step: NewStep, id: number | undefined): void;
	/** These were copied as the sync point saw them: their steps are completed. Inside a transaction. */
	complete(copied: ReadonlyMap<string, Leaf>): void;
	/** Takes the next one that is to be copied; none when what may be read for them is used up. */
	next(): string | undefined;
	/** So much was read for one of them. */
	spend(bytes: number): void;
	/** It cannot be copied any more. */
	drop(path: string): void;
	readonly size: number;
}

/** At most as many as the root has files in sight. `maxBytes`: what may be read for those that are owed at the same time. */
export function createOwedFiles(deps: { index: ChangesIndex; root: string; maxBytes: number }): OwedFiles {
	const { index, root, maxBytes } = deps;
	const steps = new Map<string, number>();
	let bytes = maxBytes;
	return {
		add({ root: of, path, after }, id) {
			if (of !== root) return;
			if (steps.size === 0) bytes = maxBytes;
			// Whatever it is now, another step says it.
			steps.delete(path);
			if (id !== undefined && after.kind === "unknown" && after.reason === "too-slow") steps.set(path, id);
		},
		complete(copied) {
			for (const [path, { state }] of copied) {
				const id = steps.get(path);
				steps.delete(path);
				if (id !== undefined && state !== undefined) completeStep(index, id, state);
			}
		},
		next() {
			if (bytes <= 0) steps.clear();
			const [path] = steps.keys();
			return path;
		},
		spend(read) {
			bytes -= read;
		},
		drop: (path) => void steps.delete(path),
		get size() {
			return steps.size;
		},
	};
}
