import { lstatSync, readdirSync, type Stats } from "node:fs";
import type { Blobs, BytePath, PathState } from "../../packages/changes/src/model.ts";
import { bytePath, fsPath } from "../../packages/changes/src/paths/byte-path.ts";
import { readPath } from "../../packages/changes/src/walk/read-path.ts";

export interface Seen {
	readonly state: PathState;
	readonly stat: Stats;
}

/** Everything below a root, looked at without any code of undo. With a store its bytes are kept there. */
export function lookAt(root: string, blobs?: Blobs): Map<BytePath, Seen> {
	const seen = new Map<BytePath, Seen>();
	const walk = (folder: string) => {
		for (const name of readdirSync(fsPath(root, folder), "latin1").sort()) {
			const path = bytePath(folder === "" ? name : `${folder}/${name}`);
			const { state, bytes } = readPath(root, path);
			if (bytes !== undefined) blobs?.put(bytes);
			seen.set(path, { state, stat: lstatSync(fsPath(root, path)) });
			if (state.kind === "folder") walk(path);
		}
	};
	walk("");
	return seen;
}

/** As text, to be compared. */
export const textOf = (tree: ReadonlyMap<string, Seen>): string =>
	[...tree].map(([path, { state }]) => `${JSON.stringify(path)} ${JSON.stringify(state)}`).join("\n");
