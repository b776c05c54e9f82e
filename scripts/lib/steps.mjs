import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { linkWorkspaces } from "./link-workspaces.mjs";
import { CACHE, ROOT, toolPath } from "./places.mjs";
import { runNode, runNpm } from "./run.mjs";

/**
 * One check of the project. `passed` and `failed` count tests; a check that is not made of tests counts as one.
 * What could not be tried is skipped, which is neither.
 * @typedef {{ passed: number, failed: number, skipped?: number, output?: string }} Result
 * @typedef {{ name: string, run: () => Promise<Result> }} Step
 */

/** Longest the tests may take before they count as hung. */
const TEST_LIMIT_MS = 60 * 60 * 1000;

/** @param {{ code: number, output: string }} finished @returns {Result} */
const asResult = ({ code, output }) => (code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, output });

/** @returns {Step[]} */
export function typecheckSteps() {
	linkWorkspaces();
	const projects = [
		"packages/protocol",
		"packages/shell",
		"packages/server",
		"packages/web",
		"packages/web/src/service-worker",
		".",
	].filter((folder) => existsSync(join(ROOT, folder, "tsconfig.json")));
	return projects.map((folder) => ({
		name: `type check ${folder}`,
		run: async () => asResult(await runNode(toolPath("typescript", "bin/tsc"), ["-p", folder, "--pretty", "false"])),
	}));
}

/** @type {Step} */
export const lintStep = {
	name: "lint and format",
	run: async () => asResult(await runNode(toolPath("@biomejs/biome", "bin/biome"), ["check", "--max-diagnostics=50", "--colors=off", "."])),
};

/** What `npm ci` would say: the lock file and the package.json files belong together. @type {Step} */
export const lockStep = {
	name: "lock file",
	run: async () => asResult(await runNpm(["ci", "--dry-run", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"])),
};

/** @param {string[]} filters @param {NodeJS.ProcessEnv} env @returns {Step} */
export function testStep(filters, env) {
	const report = join(CACHE, "vitest.json");
	return {
		name: "unit, integration and browser tests",
		async run() {
			rmSync(report, { force: true });
			const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...filters];
			const { code, timedOut } = await runNode(toolPath("vitest", "vitest.mjs"), args, { env, show: true, timeoutMs: TEST_LIMIT_MS });
			const counts = readReport(report);
			// Errors outside of tests, and a run that did not come to its report, fail the step too.
			if (counts.failed === 0 && (code !== 0 || timedOut))
				return { ...counts, failed: 1, output: timedOut ? "The tests hung." : undefined };
			return counts;
		},
	};
}

/** Counts in the report that the test runner left. @param {string} file @returns {Result} */
export function readReport(file) {
	if (!existsSync(file)) return { passed: 0, failed: 0 };
	const report = JSON.parse(readFileSync(file, "utf8"));
	// A file that does not load has failed without a single test.
	const broken = report.testResults.filter(
		(/** @type {any} */ result) => result.status === "failed" && result.assertionResults.length === 0,
	);
	return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length, skipped: report.numPendingTests ?? 0 };
}
