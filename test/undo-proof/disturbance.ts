import { act } from "./actions.ts";
import type { Random } from "./random.ts";
import { lookAt, type Seen } from "./tree.ts";
import type { World } from "./world.ts";

/** The process is gone from one step to the next. */
export class SimulatedCrash extends Error {}

/** Others at work between the steps of an undo, and crashes; with a ledger of what must not be lost. */
export interface Disturbance {
	readonly random: Random;
	readonly hasOutsiders: boolean;
	/** Neither was there. */
	readonly isQuiet: boolean;
	readonly meddled: number;
	readonly crashed: number;
	/** Paths that others changed, and the inodes that they wrote. */
	readonly touched: ReadonlySet<string>;
	readonly touchedInodes: ReadonlySet<number>;
	/** Contents that have to be on disk or in the store at the end. */
	readonly kept: ReadonlySet<string>;
	mustKeep(tree: ReadonlyMap<string, Seen>): void;
	between(step: string): void;
	/** One action of somebody else. */
	meddle(): void;
	stopCrashing(): void;
}

export function createDisturbance(random: Random, { root, names }: World, options: { outsiders: boolean; crashes: boolean }): Disturbance {
	const touched = new Set<string>();
	const touchedInodes = new Set<number>();
	const kept = new Set<string>();
	let [meddled, crashed, crashes, words] = [0, 0, options.crashes, 0];
	const meddle = () => {
		const before = lookAt(root);
		act({ root, names }, random, `outsider${words++}`);
		const after = lookAt(root);
		let changed = false;
		for (const path of new Set([...before.keys(), ...after.keys()])) {
			const [one, other] = [before.get(path), after.get(path)];
			if (
				JSON.stringify(one?.state) === JSON.stringify(other?.state) &&
				one?.stat.ino === other?.stat.ino &&
				one?.stat.mtimeMs === other?.stat.mtimeMs
			)
				continue;
			changed = true;
			touched.add(path);
			for (const seen of [one, other]) if (seen !== undefined) touchedInodes.add(seen.stat.ino);
		}
		if (changed) meddled++;
		// What they overwrite or remove themselves is theirs to lose, also where a name of ours still stands for it; what they write is ours to keep.
		const there = hashes(withoutOurs(after));
		for (const hash of hashes(withoutOurs(before))) if (!there.has(hash)) kept.delete(hash);
		for (const hash of there) if (!hashes(before).has(hash)) kept.add(hash);
	};
	return {
		random,
		hasOutsiders: options.outsiders,
		isQuiet: !options.outsiders && !options.crashes,
		get meddled() {
			return meddled;
		},
		get crashed() {
			return crashed;
		},
		touched,
		touchedInodes,
		kept,
		mustKeep(tree) {
			for (const hash of hashes(tree)) kept.add(hash);
		},
		between() {
			if (options.outsiders) while (random.chance(0.35)) meddle();
			if (crashes && random.chance(0.12)) {
				crashed++;
				throw new SimulatedCrash();
			}
		},
		meddle,
		stopCrashing() {
			crashes = false;
		},
	};
}

const withoutOurs = (tree: ReadonlyMap<string, Seen>) => new Map([...tree].filter(([path]) => !path.includes(".rightseat-undo-")));

export const hashes = (tree: ReadonlyMap<string, Seen>): Set<string> =>
	new Set([...tree.values()].flatMap(({ state }) => (state.kind === "file" ? [state.hash] : [])));
