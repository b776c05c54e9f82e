import type { Blobs, BytePath, Step } from "../model.ts";
import type { Reading } from "../walk/read-path.ts";
import { type Draft, readBelow } from "./draft.ts";
import { fitFolders } from "./fit-folders.ts";
import { type Folded, type FoldResult, foldBack } from "./fold.ts";
import { openFolder } from "./folder.ts";
import type { Native } from "./native.ts";
import { isSameState } from "./path-states.ts";
import { entriesOf } from "./plan-entries.ts";
import type { PlanEntry } from "./plan-entry.ts";
import type { UndoReason } from "./reason.ts";
import { foldHunks } from "./undo-hunks.ts";

/** What to take back. */
export interface UndoChoice {
	/** Of one root, oldest first. */
	readonly steps: readonly Step[];
	/** Named by a person: only these, and then also what others did. */
	readonly only?: ReadonlySet<string> | undefined;
	/** By path: only these hunks of it. */
	readonly hunks?: ReadonlyMap<string, ReadonlySet<string>> | undefined;
	/** New name to old name of what the steps moved. */
	readonly renames?: ReadonlyMap<string, string> | undefined;
}

/** What would become of a path. */
export interface PlannedPath {
	readonly path: BytePath;
	readonly result: "restored" | "merged" | "skipped";
	readonly reason?: UndoReason;
	/** Others were at work in the same moment: it may be theirs as well. */
	readonly isShared: boolean;
	/** Nothing but a folder: people are told of files. */
	readonly isFolder: boolean;
}

export interface UndoPlan {
	readonly paths: readonly PlannedPath[];
	readonly entries: readonly PlanEntry[];
}

export interface PlanTools {
	readonly blobs: Blobs;
	readonly native: Native;
	/** Makes the names beside the paths its own. */
	readonly changeId: string;
	/** Takes what is there now and what was merged: both have to be in the store before the first write. */
	readonly keep?: ((bytes: Uint8Array) => void) | undefined;
}

/** Folds what is on disk back through the chosen steps, newest first. Changes nothing. */
export function planUndo(root: string, choice: UndoChoice, tools: PlanTools): UndoPlan {
	const drafts = new Map<string, Draft>();
	const missing = whyMissing(root);
	for (const [path, steps] of byPath(choice))
		drafts.set(path, missing === undefined ? draftOf({ root, path, steps, choice, tools }) : without(path, missing));
	for (const [to, from] of choice.renames ?? []) followRename(root, { to: drafts.get(to), from: drafts.get(from) }, tools);
	fitFolders(root, drafts);
	const chosen = [...drafts.values()];
	return {
		entries: entriesOf(root, chosen, tools),
		paths: chosen.flatMap(({ path, fold, isFolder, isOurs, steps }): PlannedPath[] => {
			if (isOurs === true) return [];
			const about = { path, isFolder, isShared: steps.some(({ actors, windows }) => actors.length > 1 || windows.length > 1) };
			if ("reason" in fold) return [{ ...about, result: "skipped", reason: fold.reason }];
			return [{ ...about, result: fold.merged ? "merged" : "restored" }];
		}),
	};
}

/** Without the root itself nothing can be known, or come back. */
const without = (path: BytePath, reason: UndoReason): Draft => ({
	path,
	now: { state: { kind: "absent" } },
	steps: [],
	isFolder: false,
	fold: { reason },
});

function whyMissing(root: string): UndoReason | undefined {
	const folder = openFolder(root, "");
	if (typeof folder === "string") return folder === "gone" ? "folder-gone" : folder;
	folder.close();
	return undefined;
}

function byPath({ steps, only }: UndoChoice): Map<BytePath, Step[]> {
	const paths = new Map<BytePath, Step[]>();
	for (const step of steps) {
		if (only !== undefined && !only.has(step.path)) continue;
		paths.set(step.path, [...(paths.get(step.path) ?? []), step]);
	}
	return paths;
}

function draftOf({ root, path, steps, choice, tools }: DraftInput): Draft {
	const now = readBelow(root, path);
	const isFolder = steps.every(({ before, after }) => [before, after].every(({ kind }) => kind === "folder" || kind === "absent"));
	const own = choice.only === undefined ? steps.filter(isOwn) : steps;
	const { bytes, ...seen } = now;
	const draft = { path, now: seen, steps: own, isFolder };
	const [first, last] = [own[0], own.at(-1)];
	if (first === undefined || last === undefined) return { ...draft, fold: { reason: steps.some(isOutside) ? "outside" : "git" } };
	const start: Folded = { state: now.state, merged: false, ...(bytes === undefined ? {} : { bytes }) };
	const chosen = choice.hunks?.get(path);
	const fold =
		chosen === undefined
			? foldAll(start, own, tools.blobs)
			: foldHunks(start, { before: first.before, after: last.after, chosen }, tools.blobs);
	return { ...draft, fold: checked(fold, now, tools) };
}

interface DraftInput {
	root: string;
	path: BytePath;
	steps: readonly Step[];
	choice: UndoChoice;
	tools: PlanTools;
}

const isOutside = ({ actors }: Step) => actors[0] === "outside";
const isOwn = (step: Step) => !isOutside(step) && step.head === undefined;

function foldAll(start: Folded, steps: readonly Step[], blobs: Blobs): FoldResult {
	let folded: FoldResult = start;
	for (const step of steps.toReversed()) {
		folded = foldBack(folded, step, blobs);
		if ("reason" in folded) return folded;
	}
	return folded;
}

/** Nothing to do is no entry, and nothing is begun that could not be ended. Whatever it needs is in the store from here on. */
function checked(fold: FoldResult, now: Reading, { blobs, keep }: PlanTools): FoldResult {
	if ("reason" in fold) return fold;
	if (isSameState(fold.state, now.state)) return { reason: "already-undone" };
	if (fold.state.kind === "file" && fold.bytes === undefined && blobs.get(fold.state.hash) === undefined) return { reason: "expired" };
	for (const bytes of [now.bytes, fold.bytes]) if (bytes !== undefined) keep?.(bytes);
	return { state: fold.state, merged: fold.merged };
}

/** Somebody went on in a file under its new name: that edit moves back with it. */
function followRename(root: string, { to, from }: { to: Draft | undefined; from: Draft | undefined }, tools: PlanTools): void {
	if (to === undefined || from === undefined || !("reason" in to.fold) || to.fold.reason !== "kept-edited" || "reason" in from.fold) return;
	const after = to.steps.at(-1)?.after;
	const now = readBelow(root, to.path);
	if (from.now.state.kind !== "absent" || from.fold.state.kind !== "file" || after === undefined || now.bytes === undefined) return;
	const back = foldBack({ state: now.state, merged: false, bytes: now.bytes }, { before: from.fold.state, after }, tools.blobs);
	if ("reason" in back) return;
	tools.keep?.(now.bytes);
	if (back.bytes !== undefined) tools.keep?.(back.bytes);
	from.fold = { state: back.state, merged: true };
	to.fold = { state: { kind: "absent" }, merged: true };
}
