import type { Actor, Blobs, BytePath, Step } from "../model.ts";
import { parentOf } from "../paths/byte-path.ts";
import { readBelow } from "./draft.ts";
import { execute } from "./execute.ts";
import { openFolder } from "./folder.ts";
import type { JournaledUndo, UndoJournal } from "./journal.ts";
import type { Native } from "./native.ts";
import { isEntry, isSameState } from "./path-states.ts";
import { type PlanEntry, reversed } from "./plan-entry.ts";
import type { UndoReason } from "./reason.ts";
import { settleEntry } from "./settle-entry.ts";
import type { WriteBench, Written } from "./write-bench.ts";

/** What writing an undo needs. */
export interface UndoRun {
	readonly blobs: Blobs;
	readonly native: Native;
	readonly journal: UndoJournal;
	readonly now: () => number;
	/** See `WriteBench`. */
	readonly between?: ((step: string) => void) | undefined;
	/** See `WriteBench`. */
	readonly sync?: boolean | undefined;
}

/** Files that are brought to the disk one by one, about a millisecond each; more are left to one sync of all. */
const MAX_SYNCED = 64;

/** What became of each path of the plan. */
export interface PathOutcome {
	readonly path: BytePath;
	readonly reason?: UndoReason;
}

/** Carries a plan out that is in the journal. The bytes of both sides of every entry must be in the store, and durable. */
export function runUndo(undo: JournaledUndo, run: UndoRun): PathOutcome[] {
	return carryOut(undo, undo.entries, run);
}

/** Puts what a crash left under names of our own where it belongs. To be called before anything else looks at the root. */
export function tidyUp(undo: JournaledUndo, run: UndoRun): void {
	const bench = benchOf(run);
	for (const entry of undo.entries) {
		const folder = openFolder(undo.root, parentOf(entry.path));
		if (typeof folder === "string") continue;
		try {
			settleEntry(folder, undo.direction === "forth" ? entry : reversed(entry), bench);
		} finally {
			folder.close();
		}
	}
}

/** Goes on with an undo that a crash cut, or takes it back. What is neither as before nor as planned belongs to somebody else by now. */
export function resumeUndo(undo: JournaledUndo, direction: JournaledUndo["direction"], run: UndoRun): PathOutcome[] {
	tidyUp(undo, run);
	run.journal.turn(undo, direction);
	const turned = undo.entries.map((entry) => (direction === "forth" ? entry : reversed(entry)));
	return carryOut({ ...undo, direction }, turned, run);
}

/** Everything is as planned; only the end of it was not written down. */
export const isWritten = ({ root, entries, direction }: JournaledUndo): boolean =>
	entries.every(({ path, expected, target }) => isSameState(stateAt(root, path), direction === "forth" ? target : expected));

function carryOut(undo: JournaledUndo, entries: readonly PlanEntry[], run: UndoRun): PathOutcome[] {
	const pending = new Map<PlanEntry, PlanEntry>();
	for (const entry of entries) {
		const now = stateAt(undo.root, entry.path);
		if (!isSameState(now, entry.target)) pending.set(entry, isBetween(now, entry) ? { ...entry, expected: now } : entry);
	}
	const isMany = pending.size > MAX_SYNCED;
	const written = execute(undo.root, [...pending.values()], { ...benchOf(run), sync: run.sync === true && !isMany });
	if (run.sync === true && isMany) run.native.syncDisk(undo.root);
	run.between?.("carried out");
	const results = new Map([...pending].flatMap(([entry, tried]) => (written.has(tried) ? [[entry, written.get(tried)] as const] : [])));
	run.journal.end(undo, stepsOf(undo, entries, results, run.now()));
	return entries.map((entry): PathOutcome => {
		const result = results.get(entry);
		return result?.done === false ? { path: entry.path, reason: result.reason } : { path: entry.path };
	});
}

/** A folder in the place of a file, or the other way round, is not there for a moment, and has its bits later; a crash may have come just then. */
function isBetween(now: Step["before"], { expected, target }: PlanEntry): boolean {
	if (target.kind === "folder" && expected.kind !== "folder" && now.kind === "folder") return true;
	return now.kind === "absent" && target.kind !== "absent" && expected.kind !== "absent" && isEntry(expected) !== isEntry(target);
}

/** The undo's own steps are those of its plan that hold now, in whichever direction it was carried out. */
function stepsOf(
	undo: JournaledUndo,
	entries: readonly PlanEntry[],
	results: ReadonlyMap<PlanEntry, Written | undefined>,
	at: number,
): Step[] {
	return entries.flatMap((entry, index) => {
		const written = results.get(entry);
		const planned = undo.entries[index];
		const wasDone = written?.done !== false;
		const holds =
			undo.direction === "forth"
				? wasDone
				: !wasDone && planned !== undefined && isSameState(stateAt(undo.root, entry.path), planned.target);
		const step = (before: Step["before"], after: Step["after"], actor: Actor): Step => ({
			...{ changeId: undo.changeId, root: undo.root, path: entry.path },
			...{ before, after, actors: [actor], windows: [], at },
		});
		return [
			...(holds && planned !== undefined ? [step(planned.expected, planned.target, "person")] : []),
			...(written?.kept === undefined ? [] : [step(written.kept, stateAt(undo.root, entry.path), "outside")]),
		];
	});
}

const stateAt = (root: string, path: BytePath): Step["before"] => readBelow(root, path).state;

const benchOf = ({ blobs, native, between, sync = false }: UndoRun): WriteBench => ({
	blobs,
	native,
	sync,
	between: between ?? (() => undefined),
});
