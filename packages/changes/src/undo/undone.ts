import type { UndoResult } from "../client/tracker.ts";
import { findChange, listSteps } from "../index/change-rows.ts";
import type { ChangesIndex } from "../index/open-index.ts";
import type { Blobs, Step } from "../model.ts";
import type { FoundChange } from "./choose-steps.ts";
import type { Native } from "./native.ts";
import { planUndo } from "./plan.ts";

/** Reasons that leave nothing to undo. */
const SETTLED = new Set(["already-undone", "outside", "git", "folder-not-empty", "not-covered", "expired"]);

interface Deps {
	readonly index: ChangesIndex;
	readonly blobs: Blobs;
	readonly native: Native;
}

/** Looks at the files once more and writes down which changes are undone now: those that were acted on, and those that they had acted on. */
export function noteUndone(changes: readonly FoundChange[], deps: Deps): UndoResult["undoes"] {
	const all = new Map(changes.map((change) => [change.id, change]));
	for (const change of all.values()) {
		for (const id of change.undoes ?? []) {
			const earlier = findChange(deps.index, id);
			if (earlier !== undefined) all.set(id, earlier);
		}
	}
	return [...all.values()].map(({ id, messageId }) => {
		const undone = isUndone(listSteps(deps.index, id), deps);
		deps.index.sql("UPDATE changes SET undone = ? WHERE id = ?").run(undone ? 1 : 0, id);
		return { changeId: id, undone, ...(messageId !== undefined && { messageId }) };
	});
}

/** Undoing it would do nothing any more: every file of its own is as if it had never been. */
function isUndone(steps: readonly Step[], { blobs, native }: Deps): boolean {
	const paths = [...new Set(steps.map(({ root }) => root))].flatMap((root) => {
		const choice = { steps: steps.filter((step) => step.root === root) };
		return planUndo(root, choice, { blobs, native, changeId: "" }).paths.filter(({ isFolder }) => !isFolder);
	});
	const isAny = paths.some(({ reason }) => reason === "already-undone");
	return isAny && paths.every(({ reason }) => reason !== undefined && SETTLED.has(reason));
}
