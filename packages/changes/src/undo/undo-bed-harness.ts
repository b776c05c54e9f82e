import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { createMemoryJournal } from "../../../../test/undo-proof/memory-journal.ts";
import { lookAt, type Seen } from "../../../../test/undo-proof/tree.ts";
import { createMemoryBlobs } from "../blobs/memory-blobs.ts";
import type { Actor, BytePath, PathState, Step } from "../model.ts";
import { fsPath } from "../paths/byte-path.ts";
import { loadNative, type Native } from "./native.ts";
import { isSameState } from "./path-states.ts";
import { type PlannedPath, planUndo, type UndoChoice } from "./plan.ts";
import { type PathOutcome, runUndo } from "./run-undo.ts";

const ABSENT: PathState = { kind: "absent" };

/** A folder whose changes are recorded by looking at all of it, and undone. */
async function createUndoBed() {
	const root = realpathSync(mkdtempSync(join(tmpdir(), "undo-")));
	const blobs = createMemoryBlobs();
	const journal = createMemoryJournal();
	const native = await loadNative();
	const steps: Step[] = [];
	let known = new Map<BytePath, Seen>();
	let undos = 0;
	const record = (changeId: string, actor: Actor, more: Partial<Step> = {}) => {
		const now = lookAt(root, blobs);
		for (const path of new Set([...known.keys(), ...now.keys()])) {
			const [before, after] = [known.get(path)?.state ?? ABSENT, now.get(path)?.state ?? ABSENT];
			if (isSameState(before, after)) continue;
			steps.push({ changeId, root, path, before, after, actors: [actor], windows: [], at: steps.length, ...more });
		}
		known = now;
	};
	return {
		root,
		blobs,
		journal,
		native,
		/** Somebody does something; it is a change of its own. */
		change(changeId: string, actor: Actor, work: () => void, more: Partial<Step> = {}) {
			work();
			record(changeId, actor, more);
		},
		/** Everything so far is nobody's. */
		begin() {
			record("start", "outside");
			steps.length = 0;
		},
		plan(changeIds: readonly string[], choice: Partial<UndoChoice> = {}) {
			const chosen = steps.filter((step) => changeIds.includes(step.changeId));
			return planUndo(root, { steps: chosen, ...choice }, { blobs, native, changeId: `undo-${undos}`, keep: (bytes) => blobs.put(bytes) });
		},
		/** Plans and carries out; what it did is a change of its own. */
		undo(changeIds: readonly string[], options: { choice?: Partial<UndoChoice>; between?: (step: string) => void; native?: Native } = {}) {
			const plan = this.plan(changeIds, options.choice);
			const changeId = `undo-${undos++}`;
			const undo = {
				changeId,
				conversationId: "c",
				kind: "undo",
				undoes: changeIds,
				at: 0,
				root,
				entries: plan.entries,
				direction: "forth",
			} as const;
			const run = { blobs, native: options.native ?? native, journal, now: () => 0, between: options.between };
			journal.begin([undo]);
			const outcomes = runUndo(undo, run);
			steps.push(...(journal.steps.get(changeId) ?? []));
			known = lookAt(root, blobs);
			return { changeId, said: said(plan.paths, outcomes) };
		},
		look: () => lookAt(root),
		close: () => rmSync(root, { recursive: true, force: true }),
	};
}

/** `path: result reason`, without folders. */
function said(paths: readonly PlannedPath[], outcomes: readonly PathOutcome[]): string[] {
	const reasons = new Map(outcomes.map(({ path, reason }) => [path, reason]));
	return paths
		.filter(({ isFolder }) => !isFolder)
		.map(({ path, result, reason }) => {
			const why = reasons.get(path) ?? reason;
			return `${path}: ${why === undefined ? result : `skipped ${why}`}`;
		})
		.sort();
}

/** A new bed for each test of a file, and the files in it. */
export function useUndoBed() {
	let bed: Awaited<ReturnType<typeof createUndoBed>>;
	beforeEach(async () => {
		bed = await createUndoBed();
	});
	afterEach(() => bed.close());
	return { bed: () => bed, ...createUndoFiles(() => bed.root) };
}

/** A text of this many lines. */
export const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}\n`);

/** Ten lines. */
export const TEN = lines(10).join("");

/** Files below a root, by the bytes of their names. */
function createUndoFiles(root: () => string) {
	const at = (name: string) => fsPath(root(), name);
	const read = (name: string) => readFileSync(at(name), "latin1");
	const write = (name: string, text: string, mode = 0o644) => {
		writeFileSync(at(name), text, "latin1");
		chmodSync(at(name), mode);
	};
	return {
		at,
		read,
		write,
		edit: (name: string, line: number, text: string) => write(name, read(name).split("\n").with(line, text).join("\n")),
	};
}
