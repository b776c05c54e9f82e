import type { Actor } from "../../packages/changes/src/model.ts";
import { createRecorderBed } from "../../packages/changes/src/steps/recorder-harness.ts";
import type { Native } from "../../packages/changes/src/undo/native.ts";
import { undoChanges } from "../../packages/changes/src/undo/undo-changes.ts";
import { act, someNames } from "./actions.ts";
import { createRandom } from "./random.ts";
import { lookAt, textOf } from "./tree.ts";

/** A change of folders alone is none, so they are not compared. */
const filesOf = (root: string) => textOf(new Map([...lookAt(root)].filter(([, { state }]) => state.kind !== "folder")));

const ACTORS: readonly [Actor, ...Actor[]] = ["agent", "agent-shell", "person"];

/** The same over the real recorder, index and packs: all that a conversation did is undone, redone and undone again, exactly. */
export async function playRecorded(seed: number, native: Native): Promise<string[]> {
	const random = createRandom(seed);
	// Each sync point looks at everything: a watcher does not see what is written through another name of a file.
	const bed = await createRecorderBed({ watch: false });
	const place = { root: bed.root, names: someNames(random) };
	try {
		for (let at = 0; at < 12; at++) act(place, random, `start${at}`);
		bed.start();
		const before = filesOf(bed.root);
		const changes = Array.from({ length: 1 + random.below(4) }, (_, at) => `change-${at}`);
		for (const changeId of changes) {
			bed.during(changeId, () => Array.from({ length: 1 + random.below(6) }, (_, at) => act(place, random, `${changeId}${at}`)), {
				actor: random.pick(ACTORS),
			});
			bed.settle(changeId);
		}
		const after = filesOf(bed.root);
		let last: string | undefined;
		for (const [at, wanted] of [before, after, before, after].entries()) {
			const newChangeId = `undo-${at}`;
			const deps = { index: bed.index, blobs: bed.blobs, native, now: Date.now };
			// Nothing to undo makes no change that could be undone.
			const changeIds = at === 0 ? changes.filter((id) => bed.steps(id).length > 0) : last === undefined ? [] : [last];
			const result =
				changeIds.length === 0 ? undefined : await undoChanges({ conversationId: "one", changeIds, kind: "undo", newChangeId }, deps);
			bed.recorder.refresh(newChangeId);
			last = result?.change?.id;
			// A folder that a change of folders alone made may stand in a file's place: that is nobody's to remove.
			if (result?.files.some(({ reason }) => reason === "in-the-way") === true) break;
			if (filesOf(bed.root) !== wanted)
				return [`undo ${at} of seed ${seed}: ${JSON.stringify(result?.files)}\n${filesOf(bed.root)}\n--- wanted\n${wanted}`];
			if (last === undefined) break;
		}
		return [];
	} finally {
		bed.close();
	}
}
