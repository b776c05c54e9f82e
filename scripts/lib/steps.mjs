import { existsSync } from "node:fs";
import { join } from "node:path";
import { linkWorkspaces } from "./link-workspaces.mjs";
import { ROOT, toolPath } from "./places.mjs";
import { runNode, runNpm } from "./run.mjs";

/**
 * One check of the project. `passed` and `failed` count tests; a check that is not made of tests counts as one.
 * What could not be tried is skipped, which is neither. `flaky` names what passed only in a second run: it is counted as passed, and said.
 * `times` are the parts of a step that has several, `slowest` its test files.
 * @typedef {{ name: string, seconds: number }} Timed
 * @typedef {{ passed: number, failed: number, skipped?: number, flaky?: string[], times?: Timed[], slowest?: Timed[], output?: string }} Result
 * @typedef {{ name: string, run: () => Promise<Result> }} Step
 */

/** @param {{ code: number, output: string }} finished @returns {Result} */
const asResult = ({ code, output }) => (code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, output });

/**
 * One thread each: they run side by side, and several threads of one check work out the same types again, for half as much processor time more.
 * @param {import("./run.mjs").RunOptions} [options]
 * @returns {Step[]}
 */
export function typecheckSteps(options) {
	linkWorkspaces();
	const projects = [
		"packages/protocol",
		"packages/shell",
		"packages/changes",
		"packages/cli",
		"packages/server",
		"packages/web",
		"packages/web/src/service-worker",
		".",
	].filter((folder) => existsSync(join(ROOT, folder, "tsconfig.json")));
	return projects.map((folder) => ({
		name: `type check ${folder}`,
		run: async () =>
			asResult(await runNode(toolPath("typescript", "bin/tsc"), ["-p", folder, "--pretty", "false", "--checkers", "1"], options)),
	}));
}

/** @param {import("./run.mjs").RunOptions} [options] @returns {Step} */
export const lintStep = (options) => ({
	name: "lint and format",
	run: async () =>
		asResult(await runNode(toolPath("@biomejs/biome", "bin/biome"), ["check", "--max-diagnostics=50", "--colors=off", "."], options)),
});

/** What `npm ci` would say: the lock file and the package.json files belong together. @param {import("./run.mjs").RunOptions} [options] @returns {Step} */
export const lockStep = (options) => ({
	name: "lock file",
	run: async () => asResult(await runNpm(["ci", "--dry-run", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"], options)),
});
