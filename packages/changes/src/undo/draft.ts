import type { BytePath, Step } from "../model.ts";
import { nameOf, parentOf } from "../paths/byte-path.ts";
import type { Reading } from "../walk/read-path.ts";
import type { FoldResult } from "./fold.ts";
import { openFolder } from "./folder.ts";

/** A path on the way to becoming an entry of a plan. */
export interface Draft {
	readonly path: BytePath;
	/** Without its bytes: a plan may have thousands of files. */
	readonly now: Pick<Reading, "state" | "stat">;
	readonly steps: readonly Step[];
	readonly isFolder: boolean;
	/** A folder that only has to be there for others. */
	readonly isOurs?: boolean;
	fold: FoldResult;
}

/** What is at the path, reached through no link. */
export function readBelow(root: string, path: string): Reading {
	const folder = openFolder(root, parentOf(path));
	if (typeof folder === "string")
		return { state: folder === "not-allowed" ? { kind: "unknown", reason: "unreadable" } : { kind: "absent" } };
	try {
		return folder.read(nameOf(path));
	} finally {
		folder.close();
	}
}
