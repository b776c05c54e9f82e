import type { NewStep } from "../index/change-rows.ts";
import { readHead } from "../walk/git-files.ts";
import { createGitObjects } from "../walk/git-objects.ts";
import { createWalk, type Walk } from "../walk/tree.ts";
import { type Coverage, createCoverage } from "./cover-named.ts";
import { createFindings, saveFindings } from "./findings.ts";
import { rootId } from "./known-files.ts";
import { createOpenWindows, type OpenWindows } from "./open-windows.ts";
import { createOwedFiles, type OwedFiles } from "./owed-files.ts";
import type { RecorderOptions } from "./recorder.ts";
import { encodeState } from "./state-code.ts";
import { runPass } from "./sync-pass.ts";

/** A look that takes longer writes down what it has found so far. */
const FLUSH_MS = 1_000;

/** What one root is known to hold, and the moments at which that is brought up to date. */
export interface SyncPoints {
	readonly walk: Walk;
	readonly windows: OpenWindows;
	readonly named: Coverage;
	readonly owed: OwedFiles;
	/** The number of the root in the index. */
	readonly id: number;
	/** When the last one began, and when everything was last looked at: milliseconds since 1970. */
	readonly syncedAt: number;
	readonly lookedAt: number;
	/** The one way in which time passes: what happened since the last one belongs to the windows that are open. `known`: what was written down by whoever did it. */
	sync(how?: { full?: boolean; known?: ReadonlySet<string> }): void;
	/** Writes these steps down, and what is known by now. */
	save(steps: readonly NewStep[]): void;
	/** The same with what the walk has found beside them. */
	saveFound(steps: readonly NewStep[]): void;
}

const NOTHING: ReadonlySet<string> = new Set();

export function createSyncPoints(options: RecorderOptions): SyncPoints {
	const { root, refused, index, blobs, now, limits } = options;
	const found = createFindings(progress);
	const objects = createGitObjects(root);
	const walk = createWalk({
		...{ ...options, root: refused ? "" : root, events: found.events },
		...{ store: (bytes) => blobs.put(bytes), readObject: objects.read },
	});
	const named = createCoverage({ ...options, walk });
	const windows = createOpenWindows({ index, root, refused, now });
	const owed = createOwedFiles({ index, root, maxBytes: limits.bytes });
	const id = rootId(index, root, { refused, now: now() });
	let head = readHead(root);
	let lookedAt = 0;
	let syncedAt = now();
	/** Infinite while no look goes on that others may hear of. */
	let flushAt = Number.POSITIVE_INFINITY;

	function progress(): void {
		options.progress?.();
		if (performance.now() < flushAt) return;
		flushAt = Number.POSITIVE_INFINITY;
		save(stepsFound({ from: head, to: readHead(root) }, NOTHING));
		flushAt = performance.now() + (limits.flushMs ?? FLUSH_MS);
	}

	function look(full: boolean, known: ReadonlySet<string>): void {
		if (known === NOTHING) flushAt = performance.now() + (limits.flushMs ?? FLUSH_MS);
		runPass(walk, { full, named: named.inRoot(windows.named()), limits });
		flushAt = Number.POSITIVE_INFINITY;
		if (full) lookedAt = now();
	}

	function stepsFound(moved: { from: string; to: string }, known: ReadonlySet<string>): NewStep[] {
		const at = now();
		const told = found.differences.filter(({ path, after }) => !known.has(`${path}\0${encodeState(after)}`));
		return told.map((difference) => ({ root, ...difference, at, ...(moved.from === moved.to ? {} : { head: moved }) }));
	}

	function save(steps: readonly NewStep[]): void {
		objects.close();
		saveFindings({ index, blobs, root, id, windows, owed }, found, steps);
	}

	return {
		...{ walk, windows, named, owed, id, save },
		get syncedAt() {
			return syncedAt;
		},
		get lookedAt() {
			return lookedAt;
		},
		sync({ full = false, known = NOTHING } = {}) {
			const from = head;
			syncedAt = now();
			if (!refused) {
				look(full, known);
				head = readHead(root);
			}
			save([...stepsFound({ from, to: head }, known), ...named.look()]);
		},
		saveFound: (steps) => save([...stepsFound({ from: head, to: head }, NOTHING), ...steps]),
	};
}
