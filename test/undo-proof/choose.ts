import { latin1 } from "../../packages/changes/src/diff/text-bytes.ts";
import type { UndoChoice } from "../../packages/changes/src/undo/plan.ts";
import { diffText } from "../../packages/protocol/src/diff/hunks.ts";
import type { Random } from "./random.ts";
import type { World } from "./world.ts";

export type Choice = UndoChoice;

/** One change, several, some paths of them, or some hunks of one. */
export function chooseUndo(random: Random, world: World): Choice {
	const ids = [...new Set(world.steps.map(({ changeId }) => changeId))];
	const chosen = new Set(random.chance(0.2) ? ids : [ids[random.below(ids.length)] ?? "", ...(random.chance(0.3) ? random.some(ids) : [])]);
	const steps = world.steps.filter(({ changeId }) => chosen.has(changeId));
	const paths = [...new Set(steps.map(({ path }) => path))];
	const only = random.chance(0.3) ? new Set<string>(random.some(paths)) : undefined;
	const hunks = random.chance(0.2) ? someHunks(random, world, steps) : undefined;
	return { steps, only, hunks, renames: renamesOf(steps) };
}

function someHunks(random: Random, { blobs }: World, steps: Choice["steps"]): Map<string, Set<string>> {
	const hunks = new Map<string, Set<string>>();
	for (const path of new Set(steps.map((step) => step.path))) {
		const own = steps.filter((step) => step.path === path);
		const [before, after] = [own[0]?.before, own.at(-1)?.after];
		if (before?.kind !== "file" || after?.kind !== "file") continue;
		const [old, next] = [blobs.get(before.hash), blobs.get(after.hash)];
		if (old === undefined || next === undefined) continue;
		const ids = diffText(latin1(old), latin1(next)).hunks.map(({ id }) => id);
		const some = random.some(ids);
		if (some.length > 0) hunks.set(path, new Set(some));
	}
	return hunks;
}

function renamesOf(steps: Choice["steps"]): Map<string, string> {
	const gone = new Map(
		steps.flatMap(({ path, before, after }) => (before.kind === "file" && after.kind === "absent" ? [[before.hash, path]] : [])),
	);
	return new Map(
		steps.flatMap(({ path, before, after }) => {
			const from = before.kind === "absent" && after.kind === "file" ? gone.get(after.hash) : undefined;
			return from === undefined || from === path ? [] : [[path, from]];
		}),
	);
}
