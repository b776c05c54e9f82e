import { findChange } from "../index/change-rows.ts";
import type { ChangesIndex } from "../index/open-index.ts";
import type { Blobs, ChangeDetail } from "../model.ts";
import { detailOf } from "./change-files.ts";

/** Says what a change came to, and writes that down. Undefined, and nothing kept: neither agent nor person changed a file, and nothing was missed. */
export function settleChange(index: ChangesIndex, blobs: Blobs, changeId: string): ChangeDetail | undefined {
	const change = findChange(index, changeId);
	if (change === undefined) return undefined;
	const detail = detailOf(index, blobs, change, [changeId]);
	const { files, added, removed, notCovered } = detail.change;
	const isNothing = notCovered === 0 && detail.files.every(({ by }) => by === "outside");
	index.transaction(() => {
		if (isNothing) removeChange(index, changeId);
		else
			index
				.sql("UPDATE changes SET settled = 1, files = ?, added = ?, removed = ?, missed = ? WHERE id = ?")
				.run(files, added, removed, notCovered, changeId);
	});
	return isNothing ? undefined : detail;
}

/** The change, its links, and the steps that no other change has. Inside a transaction. */
export function removeChange(index: ChangesIndex, changeId: string): void {
	index.sql("DELETE FROM changes WHERE id = ?").run(changeId);
	index.sql("DELETE FROM missed WHERE change = ?").run(changeId);
	index.sql("DELETE FROM windows WHERE change = ?").run(changeId);
	const steps = index.sql("SELECT step FROM links WHERE change = ?").all(changeId);
	index.sql("DELETE FROM links WHERE change = ?").run(changeId);
	const orphan = index.sql("DELETE FROM steps WHERE id = ? AND NOT EXISTS (SELECT 1 FROM links WHERE step = steps.id)");
	for (const { step } of steps) orphan.run(Number(step));
}
