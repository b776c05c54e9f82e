import { spawnSync } from "node:child_process";
import { ROOT } from "./places.mjs";

/** Whose turn it is when a run takes only every `parts`-th of something: 0 to parts - 1, the same for the same commit; undefined without a repository. @param {number} parts @returns {number | undefined} */
export function turnOfCommit(parts) {
	const { status, stdout } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: ROOT, encoding: "utf8" });
	return status === 0 ? Number.parseInt(stdout.trim().slice(-2), 16) % parts : undefined;
}
