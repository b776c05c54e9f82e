import type { PathState } from "../../packages/changes/src/model.ts";
import { isSameState } from "../../packages/changes/src/undo/path-states.ts";
import type { UndoPlan } from "../../packages/changes/src/undo/plan.ts";
import type { PathOutcome } from "../../packages/changes/src/undo/run-undo.ts";
import type { Choice } from "./choose.ts";
import { type Disturbance, hashes } from "./disturbance.ts";
import type { Seen } from "./tree.ts";
import type { World } from "./world.ts";

export interface RoundEnd {
	readonly before: ReadonlyMap<string, Seen>;
	readonly after: ReadonlyMap<string, Seen>;
	readonly plan: UndoPlan;
	readonly outcomes: readonly PathOutcome[];
	readonly direction: "forth" | "back";
	readonly choice: Choice;
	readonly world: World;
	readonly disturbance: Disturbance;
}

const ABSENT: PathState = { kind: "absent" };

/** What must hold after any undo; each violation as a sentence. */
export function checkRound(end: RoundEnd): string[] {
	return [...lost(end), ...foreign(end), ...notDone(end), ...leftOver(end), ...notExact(end), ...notAsked(end), ...linesUndone(end)];
}

/** What was on disk is on disk or in the store. */
function lost({ after, world, disturbance }: RoundEnd): string[] {
	const there = hashes(after);
	return [...disturbance.kept]
		.filter((hash) => !there.has(hash) && world.blobs.get(hash) === undefined)
		.map((hash) => `content lost: ${hash}`);
}

/** No path outside the plan changes: not its bytes, not its bits, not even its inode or time. */
function foreign({ before, after, plan, disturbance }: RoundEnd): string[] {
	const planned = new Set<string>(plan.entries.map(({ path }) => path));
	// Other names of a file that is written in place are the same file.
	const inPlace = new Set(plan.entries.flatMap(({ path }) => before.get(path)?.stat.ino ?? []));
	return [...new Set([...before.keys(), ...after.keys()])].flatMap((path) => {
		const [one, other] = [before.get(path), after.get(path)];
		if (planned.has(path) || disturbance.touched.has(path)) return [];
		if (one !== undefined && (inPlace.has(one.stat.ino) || disturbance.touchedInodes.has(one.stat.ino))) return [];
		const isSame = isSameState(one?.state ?? ABSENT, other?.state ?? ABSENT) || JSON.stringify(one?.state) === JSON.stringify(other?.state);
		const isSameFile = one?.state.kind === "folder" || (one?.stat.ino === other?.stat.ino && one?.stat.mtimeMs === other?.stat.mtimeMs);
		return isSame && isSameFile ? [] : [`foreign path changed: ${JSON.stringify(path)} ${JSON.stringify([one?.state, other?.state])}`];
	});
}

/** What is said to be done is at its target, or as before when it was taken back. */
function notDone({ after, plan, outcomes, direction, disturbance, before }: RoundEnd): string[] {
	const reasons = new Map(outcomes.map(({ path, reason }) => [path, reason]));
	return plan.entries.flatMap((entry) => {
		const seen = after.get(entry.path);
		const isTouched = [...disturbance.touched].some((path) => path === entry.path || entry.path.startsWith(`${path}/`));
		const sharesInode = [before.get(entry.path), seen].some((each) => each !== undefined && disturbance.touchedInodes.has(each.stat.ino));
		if (isTouched || sharesInode) return [];
		const wanted = direction === "forth" ? entry.target : entry.expected;
		if (isSameState(seen?.state ?? ABSENT, wanted) && reasons.get(entry.path) === undefined) return [];
		const excused = disturbance.hasOutsiders && reasons.get(entry.path) !== undefined;
		return excused ? [] : [`not done: ${JSON.stringify([entry, seen?.state, reasons.get(entry.path), direction])}`];
	});
}

/** No name of ours stays. */
const leftOver = ({ after }: RoundEnd) =>
	[...after.keys()].filter((path) => path.includes(".rightseat-undo-")).map((path) => `left over: ${path}`);

/** Where nobody else changed a path since, undoing all of it gives what was there before its first step. */
function notExact({ before, plan, choice }: RoundEnd): string[] {
	return plan.paths.flatMap(({ path, result, reason }) => {
		const steps = choice.steps.filter((step) => step.path === path && (choice.only !== undefined || step.actors[0] !== "outside"));
		const [first, last] = [steps[0], steps.at(-1)];
		if (first === undefined || last === undefined || choice.hunks?.has(path) === true) return [];
		const isChain = steps.every((step, at) => at === 0 || isSameState(steps[at - 1]?.after ?? ABSENT, step.before));
		if (!isChain || !isSameState(before.get(path)?.state ?? ABSENT, last.after)) return [];
		const entry = plan.entries.find((each) => each.path === path);
		if (entry !== undefined && result === "restored" && isSameState(entry.target, first.before)) return [];
		const isFine = ["already-undone", "folder-not-empty", "in-the-way", "link-in-path"].includes(reason ?? "");
		const isMoved = [...(choice.renames?.values() ?? [])].includes(path);
		return isFine || isMoved ? [] : [`not exact: ${JSON.stringify([path, result, reason, first.before, entry?.target])}`];
	});
}

/** Only what was asked for is planned, and folders that it needs. */
function notAsked({ plan, choice, before }: RoundEnd): string[] {
	const asked = choice.steps.filter(({ actors, path }) => (choice.only === undefined ? actors[0] !== "outside" : choice.only.has(path)));
	return plan.entries.flatMap(({ path, target }) => {
		const isFolderFor = target.kind === "folder" && !before.has(path) && asked.some((step) => step.path.startsWith(`${path}/`));
		return isFolderFor || asked.some((step) => step.path === path) ? [] : [`nobody asked for ${JSON.stringify(path)}`];
	});
}

/** Lines that somebody wrote and that are in no chosen step are in the result. */
function linesUndone({ plan, choice, world: { blobs } }: RoundEnd): string[] {
	const linesOf = (state: PathState) =>
		state.kind === "file"
			? Buffer.from(blobs.get(state.hash) ?? [])
					.toString("latin1")
					.split("\n")
			: [];
	const moved = new Set(choice.renames?.keys());
	return plan.entries.flatMap(({ path, expected, target }) => {
		if (moved.has(path)) return [];
		const chosen = choice.steps.filter((step) => step.path === path);
		const known = new Set(chosen.flatMap(({ before, after }) => [...linesOf(before), ...linesOf(after)]));
		const there = new Set(linesOf(target));
		const gone = linesOf(expected).filter((line) => !known.has(line) && !there.has(line));
		return gone.length === 0 ? [] : [`lines of somebody undone in ${JSON.stringify(path)}: ${JSON.stringify(gone)}`];
	});
}
