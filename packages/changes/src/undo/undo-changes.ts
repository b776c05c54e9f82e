import type { PackStore } from "../blobs/pack-store.ts";
import { StoreFullError } from "../blobs/store-full.ts";
import type { UndoneFile, UndoRequest, UndoResult } from "../client/tracker.ts";
import { findChange, listMissed } from "../index/change-rows.ts";
import type { ChangesIndex } from "../index/open-index.ts";
import type { Blobs, ChangeSummary } from "../model.ts";
import { shownIn } from "../steps/change-files.ts";
import { settleChange } from "../steps/settle-change.ts";
import { type ChosenUndo, chooseSteps } from "./choose-steps.ts";
import { findHolders } from "./holders.ts";
import { createIndexJournal } from "./index-journal.ts";
import type { JournaledUndo } from "./journal.ts";
import type { Native } from "./native.ts";
import { planUndo, type UndoPlan } from "./plan.ts";
import { isWritten, type PathOutcome, resumeUndo, runUndo, tidyUp, type UndoRun } from "./run-undo.ts";
import { noteUndone } from "./undone.ts";

/** What undoing needs. Whoever calls sees to it that nobody records the root meanwhile. */
export interface UndoDeps {
	readonly index: ChangesIndex;
	readonly blobs: PackStore;
	readonly native: Native;
	readonly now: () => number;
	/** See `WriteBench`. */
	readonly between?: ((step: string) => void) | undefined;
	/** How long processes are looked at for files that they hold. */
	readonly lookMs?: number | undefined;
}

/** Takes changes back, or says what that would do. Undefined: there is no such change. After a crash in the middle the next call ends it, or, of the other kind, takes it back. */
export async function undoChanges(request: UndoRequest, deps: UndoDeps): Promise<UndoResult | undefined> {
	const cut = findCut(request, deps);
	if (cut.length > 0) return resume(request, cut, deps);
	const chosen = chooseSteps(deps.index, request);
	if (chosen === undefined) return undefined;
	try {
		const plans = new Map(
			[...chosen.parts].map(([root, choice]) => {
				const keep = request.preview === true ? undefined : (bytes: Uint8Array) => void deps.blobs.put(bytes);
				return [root, planUndo(root, choice, { ...deps, changeId: request.newChangeId, keep })] as const;
			}),
		);
		if (request.preview === true || [...plans.values()].every(({ entries }) => entries.length === 0))
			return told(chosen, plans, { request, deps, holders: holdersOf(plans, deps) });
		await deps.blobs.sync();
		return write(request, { chosen, plans }, deps);
	} catch (error) {
		if (!(error instanceof StoreFullError)) throw error;
		// What is there now cannot be kept, so nothing is written over it.
		return { files: [...chosen.parts].flatMap(([root, { steps }]) => full(chosen, root, steps)), undoes: [] };
	}
}

/** Undos that a crash cut: each waits for a person to post undo or redo once more. */
export const listUnfinished = (deps: Pick<UndoDeps, "index" | "blobs">): readonly JournaledUndo[] =>
	createIndexJournal(deps.index, deps.blobs)
		.list()
		.filter(({ changeId }) => findChange(deps.index, changeId) !== undefined);

/** Undos of other threads that write in this moment. */
export interface Undoing {
	/** In this root: names beside its files are theirs. */
	readonly here: boolean;
	readonly anywhere: boolean;
}

/**
 * Before a root is looked at for the first time: what a crash left under names of our own gets its place, and an undo that lacks no file any more is ended:
 * there is nothing to ask a person. Of a conversation that is deleted nothing more is kept. What goes on is no crash: it is left alone.
 */
export function tidyUpRoot(root: string, deps: UndoDeps, { here, anywhere }: Undoing = { here: false, anywhere: false }): void {
	const run = runOf(deps);
	for (const undo of here ? [] : run.journal.list()) {
		if (undo.root !== root) continue;
		tidyUp(undo, run);
		if (findChange(deps.index, undo.changeId) === undefined) run.journal.end(undo, []);
		else if (isWritten(undo)) resumeUndo(undo, undo.direction, run);
	}
	const ended = "SELECT id FROM changes WHERE unfinished = 1 AND id NOT IN (SELECT change FROM undos)";
	for (const { id } of anywhere ? [] : deps.index.sql(ended).all()) finish([String(id)], deps);
}

function write(
	request: UndoRequest,
	{ chosen, plans }: { chosen: ChosenUndo; plans: ReadonlyMap<string, UndoPlan> },
	deps: UndoDeps,
): UndoResult {
	const parts = [...plans].flatMap(([root, { entries }]): JournaledUndo[] => {
		if (entries.length === 0) return [];
		const { newChangeId: changeId, conversationId, messageId } = request;
		const undoes = chosen.changes.map(({ id }) => id);
		return [{ changeId, conversationId, messageId, kind: chosen.kind, undoes, at: deps.now(), root, entries, direction: "forth" }];
	});
	// Before the swap: afterwards their file has another name, or none.
	const holders = holdersOf(plans, deps);
	const run = runOf(deps);
	run.journal.begin(parts);
	const outcomes = new Map(parts.map((part) => [part.root, runUndo(part, run)]));
	const end = finish([request.newChangeId], deps);
	return { ...told(chosen, plans, { request, deps, outcomes, holders }), ...end };
}

/** Contents that are put while an undo writes must be found again after a crash: their last name is about to go. */
function runOf({ index, blobs, native, now, between }: UndoDeps): UndoRun {
	const kept: Blobs = {
		...blobs,
		put: (bytes) =>
			index.transaction(() => {
				const hash = blobs.put(bytes);
				blobs.flush();
				return hash;
			}),
	};
	return { blobs: kept, native, journal: createIndexJournal(index, blobs), now, between, sync: true };
}

/** All of its files are as they should be. It counts as unfinished until it is known what is undone by it: otherwise a crash in between would leave a change that nobody can redo. */
function finish(changeIds: readonly string[], deps: UndoDeps): Pick<UndoResult, "undoes" | "change"> {
	deps.between?.("journal ended");
	const acted = changeIds.flatMap((id) => findChange(deps.index, id)?.undoes ?? []).map((id) => findChange(deps.index, id));
	const undoes = noteUndone(
		acted.filter((change) => change !== undefined),
		deps,
	);
	deps.between?.("undone noted");
	const change = changeIds.map((id) => settled(id, deps)).find((each) => each !== undefined);
	return { undoes, ...(change !== undefined && { change }) };
}

function settled(changeId: string, { index, blobs }: UndoDeps): ChangeSummary | undefined {
	index.sql("UPDATE changes SET unfinished = 0 WHERE id = ?").run(changeId);
	const detail = settleChange(index, blobs, changeId);
	index.checkpoint();
	return detail?.change;
}

const holdersOf = (plans: ReadonlyMap<string, UndoPlan>, { lookMs }: UndoDeps) =>
	findHolders(new Set([...plans].flatMap(([root, { entries }]) => entries.map(({ path }) => `${root}/${path}`))), lookMs);

interface Telling {
	readonly request: UndoRequest;
	readonly deps: UndoDeps;
	readonly outcomes?: ReadonlyMap<string, readonly PathOutcome[]>;
	readonly holders: ReadonlyMap<string, string[]>;
}

function told(chosen: ChosenUndo, plans: ReadonlyMap<string, UndoPlan>, { request, deps, outcomes, holders }: Telling): UndoResult {
	const files = [...plans].flatMap(([root, { paths }]) => {
		const reasons = new Map(outcomes?.get(root)?.map(({ path, reason }) => [path, reason]));
		return paths
			.filter(({ isFolder }) => !isFolder)
			.map(({ path, result, reason, isShared }): UndoneFile => {
				const why = reasons.get(path) ?? reason;
				const shown = chosen.show(root, path);
				if (why !== undefined) return { path: shown, result: "skipped", reason: why };
				const names = holders.get(`${root}/${path}`);
				if (names !== undefined) return { path: shown, result, reason: "held-open", holders: names };
				return { path: shown, result, ...(isShared && { reason: "shared" }) };
			});
	});
	const unknown = chosen.unknown.map((path): UndoneFile => ({ path, result: "skipped", reason: "not-in-change" }));
	const missed = request.paths === undefined && request.hunks === undefined ? notCovered(chosen, deps, files) : [];
	return { files: [...files, ...unknown, ...missed], undoes: [] };
}

/** Said before anything is written, so that nobody believes that all of it comes back. */
function notCovered({ changes, show }: ChosenUndo, { index }: UndoDeps, files: readonly UndoneFile[]): UndoneFile[] {
	const known = new Set(files.map(({ path }) => path));
	const missed = changes.flatMap(({ id }) => listMissed(index, id)).filter(({ path }) => path !== "");
	return [...new Set(missed.map(({ root, path }) => show(root, path)))]
		.filter((path) => !known.has(path))
		.map((path) => ({ path, result: "skipped", reason: "not-covered" }));
}

const full = ({ show }: ChosenUndo, root: string, steps: readonly { path: string }[]): UndoneFile[] =>
	[...new Set(steps.map(({ path }) => path))].map((path) => ({ path: show(root, path), result: "skipped", reason: "disk-full" }));

/** Undos that a crash cut and that this request is about: by their own id, or by what they act on. */
function findCut({ conversationId, changeIds }: UndoRequest, deps: UndoDeps): JournaledUndo[] {
	return listUnfinished(deps).filter((undo) => {
		if (undo.conversationId !== conversationId) return false;
		const about = [undo.changeId, ...undo.undoes, ...undo.undoes.flatMap((id) => findChange(deps.index, id)?.undoes ?? [])];
		return changeIds === "conversation" || about.some((id) => changeIds.includes(id));
	});
}

function resume(request: UndoRequest, cut: readonly JournaledUndo[], deps: UndoDeps): UndoResult {
	const ids = [...new Set(cut.map(({ changeId }) => changeId))];
	const main = ids.map((id) => findChange(deps.index, id)).find((change) => change !== undefined);
	const shown = (root: string, path: string) => shownIn(main?.rootPath ?? root, root, path);
	const files = cut.flatMap((undo) => {
		const direction = undo.kind === request.kind ? "forth" : "back";
		const outcomes: PathOutcome[] =
			request.preview === true ? undo.entries.map(({ path }) => ({ path })) : resumeUndo(undo, direction, runOf(deps));
		return outcomes
			.filter(({ path }) =>
				undo.entries.some((entry) => entry.path === path && (entry.expected.kind !== "folder" || entry.target.kind !== "absent")),
			)
			.map(
				({ path, reason }): UndoneFile => ({
					path: shown(undo.root, path),
					...(reason === undefined ? { result: "restored" } : { result: "skipped", reason }),
				}),
			);
	});
	if (request.preview === true) return { files, undoes: [] };
	return { files, ...finish(ids, deps) };
}
