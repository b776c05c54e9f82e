import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { RunGit } from "./run-git.ts";

/** What somebody has begun in this work tree and not ended. */
export interface Operation {
	/** `merge`, `rebase`, …; undefined: nothing. */
	name?: string;
	/** Another git works on the index, or was killed while it did. Its lock is never removed by us: it may be at work. */
	lockedForMs?: number;
}

const MARKS: readonly { file: string; name: string }[] = [
	{ file: "MERGE_HEAD", name: "merge" },
	{ file: "rebase-merge", name: "rebase" },
	{ file: "rebase-apply", name: "rebase" },
	{ file: "CHERRY_PICK_HEAD", name: "cherry-pick" },
	{ file: "REVERT_HEAD", name: "revert" },
];

/** Looks only at which files git has left; runs nothing that the repository configures. */
export async function readOperation(git: RunGit, cwd: string): Promise<Operation> {
	const files = [...MARKS.map(({ file }) => file), "index.lock"];
	const { stdout } = await git({ cwd, as: "ours", args: ["rev-parse", ...files.flatMap((file) => ["--git-path", file])] });
	const paths = stdout.toString("utf8").split("\n");
	const found = await Promise.all(files.map((_, index) => stat(resolve(cwd, paths[index] ?? "")).catch(() => undefined)));
	const lock = found.at(-1);
	const name = MARKS.find((_mark, index) => found[index] !== undefined)?.name;
	return {
		...(name === undefined ? {} : { name }),
		...(lock === undefined ? {} : { lockedForMs: Math.max(0, Date.now() - lock.mtimeMs) }),
	};
}
