import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryBlobs } from "../../packages/changes/src/blobs/memory-blobs.ts";
import type { Actor, Blobs, BytePath, PathState, Step } from "../../packages/changes/src/model.ts";
import { isSameState } from "../../packages/changes/src/undo/path-states.ts";
import { act, someNames } from "./actions.ts";
import type { Random } from "./random.ts";
import { lookAt, type Seen } from "./tree.ts";

/** A folder, the people and programs at work in it, and what was recorded of that. */
export interface World {
	readonly root: string;
	/** What is worked at. */
	readonly names: readonly [string, ...string[]];
	readonly blobs: Blobs;
	/** Oldest first. */
	readonly steps: Step[];
	/** A few actions of one actor, recorded as a change of its own. */
	work(changeId: string, actor: Actor, actions: number): void;
	/** What changed since it was last recorded, as this actor's. */
	record(changeId: string, actor: Actor): void;
	close(): void;
}

const ABSENT: PathState = { kind: "absent" };

export function createWorld(random: Random): World {
	// One folder down: some of the links lead to the folder above, and actors write through them.
	const home = realpathSync(mkdtempSync(join(tmpdir(), "undo-proof-")));
	const root = join(home, "root");
	mkdirSync(root);
	const names = someNames(random);
	const blobs = createMemoryBlobs();
	const steps: Step[] = [];
	let known = new Map<BytePath, Seen>();
	let words = 0;
	const record = (changeId: string, actor: Actor) => {
		const now = lookAt(root, blobs);
		for (const path of new Set([...known.keys(), ...now.keys()])) {
			const [before, after] = [known.get(path)?.state ?? ABSENT, now.get(path)?.state ?? ABSENT];
			if (isSameState(before, after)) continue;
			steps.push({ changeId, root, path, before, after, actors: [actor], windows: [], at: steps.length });
		}
		known = now;
	};
	return {
		root,
		names,
		blobs,
		steps,
		record,
		work(changeId, actor, actions) {
			for (let done = 0; done < actions; done++) act({ root, names }, random, `${actor}${words++}`);
			record(changeId, actor);
		},
		close: () => rmSync(home, { recursive: true, force: true }),
	};
}
