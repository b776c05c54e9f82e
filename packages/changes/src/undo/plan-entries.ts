import { nameOf, parentOf } from "../paths/byte-path.ts";
import { hashOf } from "../walk/read-path.ts";
import type { Draft } from "./draft.ts";
import { openFolder } from "./folder.ts";
import type { Native } from "./native.ts";
import { isSameState } from "./path-states.ts";
import type { PlanEntry } from "./plan-entry.ts";

/** The drafts that are to be carried out, each with names of its own and the way in which it is written. */
export function entriesOf(root: string, drafts: readonly Draft[], { changeId, native }: { changeId: string; native: Native }): PlanEntry[] {
	const mark = hashOf(Buffer.from(changeId)).slice(0, 10);
	const parted = partedFiles(drafts);
	return drafts.flatMap(({ path, now, fold }, index): PlanEntry[] => {
		if ("reason" in fold) return [];
		const beside = `.rightseat-undo-${mark}-${index}`;
		const apart = parted.has(inodeOf(now));
		const inPlace = fold.state.kind === "file" && !apart && mustStay(root, path, now, native);
		return [{ path, expected: now.state, target: fold.state, fresh: `${beside}-new`, aside: `${beside}-old`, inPlace, apart }];
	});
}

/** Files with several names that shall stand for different things again: one file cannot be both. */
function partedFiles(drafts: readonly Draft[]): Set<string> {
	const targets = new Map<string, Draft["now"]["state"]>();
	const parted = new Set<string>();
	for (const { now, fold } of drafts) {
		const inode = inodeOf(now);
		if ("reason" in fold || inode === "" || fold.state.kind !== "file") continue;
		const other = targets.get(inode);
		if (other !== undefined && !isSameState(other, fold.state)) parted.add(inode);
		targets.set(inode, fold.state);
	}
	return parted;
}

const inodeOf = ({ state, stat }: Draft["now"]) =>
	state.kind === "file" && stat !== undefined && stat.nlink > 1 ? `${stat.dev} ${stat.ino}` : "";

/** Another file in its place would cut it off from its other names, lose its attributes, or belong to somebody else. */
function mustStay(root: string, path: string, { state, stat }: Draft["now"], native: Native): boolean {
	if (state.kind !== "file" || stat === undefined) return false;
	const uid = process.getuid?.() ?? stat.uid;
	if (stat.nlink > 1 || (uid !== 0 && stat.uid !== uid)) return true;
	const folder = openFolder(root, parentOf(path));
	if (typeof folder === "string") return false;
	try {
		return native.hasAttributes(folder.at(nameOf(path)));
	} finally {
		folder.close();
	}
}
