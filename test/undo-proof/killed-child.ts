import { readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { loadNative } from "../../packages/changes/src/undo/native.ts";
import { runUndo } from "../../packages/changes/src/undo/run-undo.ts";
import { createDiskBlobs, createDiskJournal } from "./disk.ts";

/** Carries the planned undo out and says so at every step, until somebody kills it. */
const home = process.argv[2] ?? "";
const undo = JSON.parse(readFileSync(join(home, "plan.json"), "utf8"));
const journal = createDiskJournal(join(home, "journal"));
journal.begin([undo]);
runUndo(undo, {
	blobs: createDiskBlobs(join(home, "blobs")),
	journal,
	native: await loadNative(),
	now: () => 0,
	between: () => writeSync(1, "."),
});
writeSync(1, "!");
