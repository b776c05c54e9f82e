import type { Actor, Step } from "../../packages/changes/src/model.ts";
import type { JournaledUndo } from "../../packages/changes/src/undo/journal.ts";
import type { Native } from "../../packages/changes/src/undo/native.ts";
import { withoutNative } from "../../packages/changes/src/undo/native.ts";
import { planUndo, type UndoPlan } from "../../packages/changes/src/undo/plan.ts";
import { type PathOutcome, resumeUndo, runUndo, type UndoRun } from "../../packages/changes/src/undo/run-undo.ts";
import { type Choice, chooseUndo } from "./choose.ts";
import { createDisturbance, type Disturbance, SimulatedCrash } from "./disturbance.ts";
import { checkRound, type RoundEnd } from "./invariants.ts";
import { createMemoryJournal } from "./memory-journal.ts";
import { createRandom } from "./random.ts";
import { lookAt, textOf } from "./tree.ts";
import { createWorld, type World } from "./world.ts";

/** What a round met, to be added up. */
export interface RoundCounts {
	undos: number;
	exact: number;
	merged: number;
	skipped: number;
	disturbed: number;
	crashes: number;
	redos: number;
	violations: string[];
}

const ACTORS: readonly [Actor, ...Actor[]] = ["agent", "agent-shell", "person", "outside"];
const CRASHES_AT_MOST = 3;

/** One round: four actors work in a folder, something of it is undone, others write and crashes come in the middle; then everything that must hold is looked at. */
export function playRound(seed: number, native: Native): RoundCounts {
	const random = createRandom(seed);
	const world = createWorld(random);
	try {
		world.work("start", "outside", 14);
		world.steps.length = 0;
		const changes = Array.from({ length: 1 + random.below(4) }, (_, at) => `change-${at}`);
		for (const changeId of changes)
			for (let part = 0; part <= random.below(2); part++) world.work(changeId, random.pick(ACTORS), 2 + random.below(7));
		const disturbance = createDisturbance(random, world, { outsiders: random.chance(0.5), crashes: random.chance(0.5) });
		if (disturbance.hasOutsiders) disturbance.meddle();
		return undoOnce(world, disturbance, { choice: chooseUndo(random, world), native: random.chance(0.25) ? withoutNative : native });
	} finally {
		world.close();
	}
}

function undoOnce(world: World, disturbance: Disturbance, { choice, native }: { choice: Choice; native: Native }): RoundCounts {
	const { root, blobs } = world;
	const before = lookAt(root);
	disturbance.mustKeep(before);
	const plan = planUndo(root, choice, { blobs, native, changeId: "undo", keep: (bytes) => blobs.put(bytes) });
	const previewed = textOf(lookAt(root)) === textOf(before) ? [] : ["the plan changed something"];
	const journal = createMemoryJournal();
	const run: UndoRun = { blobs, native, journal, now: () => 0, between: disturbance.between };
	const { outcomes, direction } = carryOut(journaled(world, plan, "undo"), run, disturbance);
	const end: RoundEnd = { before, after: lookAt(root), plan, outcomes, direction, choice, world, disturbance };
	const redo = disturbance.isQuiet
		? redoExactly(world, { ...run, between: undefined }, journal.steps.get("undo") ?? [], textOf(before))
		: [];
	const count = (result: string) => plan.paths.filter((path) => path.result === result).length;
	return {
		...{ undos: 1, exact: count("restored"), merged: count("merged"), skipped: count("skipped") },
		...{ disturbed: disturbance.meddled, crashes: disturbance.crashed, redos: disturbance.isQuiet ? 1 : 0 },
		violations: [...previewed, ...checkRound(end), ...redo],
	};
}

const journaled = ({ root }: World, { entries }: UndoPlan, changeId: string): JournaledUndo => ({
	...{ changeId, conversationId: "conversation", kind: "undo", undoes: [], at: 0 },
	...{ root, entries, direction: "forth" },
});

/** Until it ends: after each crash somebody chooses to go on or to take back. */
function carryOut(undo: JournaledUndo, run: UndoRun, disturbance: Disturbance): { outcomes: PathOutcome[]; direction: "forth" | "back" } {
	let direction: "forth" | "back" = "forth";
	let work = () => begin(undo, run);
	for (;;) {
		try {
			return { outcomes: work(), direction };
		} catch (error) {
			if (!(error instanceof SimulatedCrash)) throw error;
			if (disturbance.hasOutsiders) disturbance.meddle();
			if (disturbance.crashed >= CRASHES_AT_MOST) disturbance.stopCrashing();
			direction = disturbance.random.chance(0.5) ? "forth" : "back";
			const next = direction;
			const cut = run.journal.list()[0];
			if (cut === undefined) return { outcomes: [], direction };
			work = () => resumeUndo(cut, next, run);
		}
	}
}

function begin(undo: JournaledUndo, run: UndoRun): PathOutcome[] {
	run.journal.begin([undo]);
	return runUndo(undo, run);
}

/** The undo of the undo: everything is as it was before, byte for byte. */
function redoExactly(world: World, run: UndoRun, steps: readonly Step[], wanted: string): string[] {
	const choice = { steps };
	const plan = planUndo(world.root, choice, {
		blobs: world.blobs,
		native: run.native,
		changeId: "redo",
		keep: (bytes) => world.blobs.put(bytes),
	});
	begin(journaled(world, plan, "redo"), run);
	return textOf(lookAt(world.root)) === wanted ? [] : [`redo is not exact:\n${wanted}\n---\n${textOf(lookAt(world.root))}`];
}
