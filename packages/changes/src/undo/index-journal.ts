import type { PackStore } from "../blobs/pack-store.ts";
import { addChange, addStep } from "../index/change-rows.ts";
import type { ChangesIndex } from "../index/open-index.ts";
import type { JournaledUndo, UndoJournal } from "./journal.ts";

/** The journal in the index. */
export function createIndexJournal(index: ChangesIndex, blobs: Pick<PackStore, "flush">): UndoJournal {
	return {
		begin(parts) {
			index.transaction(() => {
				blobs.flush();
				const insert = index.sql("INSERT INTO undos (change, root, plan) VALUES (?, ?, ?)");
				for (const part of parts) {
					const { changeId, conversationId, kind, messageId, root, at, undoes } = part;
					addChange(index, { id: changeId, conversationId, kind, messageId, root, at, undoes });
					insert.run(changeId, root, JSON.stringify(part));
				}
				for (const { changeId } of parts) index.sql("UPDATE changes SET unfinished = 1 WHERE id = ?").run(changeId);
			});
			index.checkpoint();
		},
		turn(undo, direction) {
			index
				.sql("UPDATE undos SET plan = ? WHERE change = ? AND root = ?")
				.run(JSON.stringify({ ...undo, direction }), undo.changeId, undo.root);
			index.checkpoint();
		},
		end({ changeId, root }, steps) {
			index.transaction(() => {
				blobs.flush();
				for (const step of steps) addStep(index, step, [{ changeId, actors: step.actors, windows: [] }]);
				index.sql("DELETE FROM undos WHERE change = ? AND root = ?").run(changeId, root);
			});
		},
		list: () =>
			index
				.sql("SELECT plan FROM undos ORDER BY change, root")
				.all()
				.map((row) => ownPlan(String(row.plan))),
	};
}

/** Written by `begin` above, in a file that only this user can write: believed, as everything in the index is. */
function ownPlan(json: string): JournaledUndo {
	return JSON.parse(json);
}
