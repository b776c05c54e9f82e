import type { Step } from "../model.ts";
import type { PlanEntry } from "./plan-entry.ts";

/** The part of an undo in one root, when it has begun to write. While it stands in the journal, a crash may have cut it. */
export interface JournaledUndo {
	/** Of the change that this undo is. */
	readonly changeId: string;
	readonly conversationId: string;
	readonly kind: "undo" | "redo";
	/** The changes that it takes back. */
	readonly undoes: readonly string[];
	readonly messageId?: string | undefined;
	readonly at: number;
	readonly root: string;
	readonly entries: readonly PlanEntry[];
	/** `back`: somebody chose to take back what the crash had cut, and that was cut too. */
	readonly direction: "forth" | "back";
}

/** What an undo leaves in the index. Every call is committed, and durable, when it returns. */
export interface UndoJournal {
	/** Before the first write: all parts of an undo, one for each root. */
	begin(parts: readonly JournaledUndo[]): void;
	/** The direction from now on. */
	turn(undo: JournaledUndo, direction: JournaledUndo["direction"]): void;
	/** This part is over: in one transaction its steps are the change's, and it has left the journal. */
	end(undo: JournaledUndo, steps: readonly Step[]): void;
	/** What did not end. */
	list(): readonly JournaledUndo[];
}
