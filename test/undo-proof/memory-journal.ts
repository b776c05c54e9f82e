import type { Step } from "../../packages/changes/src/model.ts";
import type { JournaledUndo, UndoJournal } from "../../packages/changes/src/undo/journal.ts";

/** A journal that survives what is called a crash here: an error in the middle. */
export function createMemoryJournal(): UndoJournal & { readonly steps: Map<string, readonly Step[]> } {
	const open = new Map<string, JournaledUndo>();
	const steps = new Map<string, readonly Step[]>();
	return {
		steps,
		begin(parts) {
			for (const undo of parts) open.set(undo.changeId, undo);
		},
		turn: (undo, direction) => open.set(undo.changeId, { ...undo, direction }),
		end(undo, done) {
			steps.set(undo.changeId, done);
			open.delete(undo.changeId);
		},
		list: () => [...open.values()],
	};
}
