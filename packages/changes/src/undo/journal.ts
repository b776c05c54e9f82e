import type { Step } from "../model.ts";
import type { PlanEntry } from "./plan-entry.ts";

/** An undo that has begun to write. While it stands in the journal, a crash may have cut it. */
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
	/** Before the first write. */
	begin(undo: JournaledUndo): void;
	/** The direction from now on. */
	turn(changeId: string, direction: JournaledUndo["direction"]): void;
	/** It is over: in one transaction the change with these steps is there, their paths are known to be as the steps say, and the journal is empty. Without steps nothing was changed. */
	end(undo: JournaledUndo, steps: readonly Step[]): void;
	/** What did not end. */
	list(): readonly JournaledUndo[];
}
