import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { CACHE, ROOT, toolPath } from "./places.mjs";
import { runNode } from "./run.mjs";
import { countOutcomes, failedFiles, joinOutcomes, readOutcomes } from "./test-outcomes.mjs";

/** Longest the tests may take before they count as hung. */
const TEST_LIMIT_MS = 60 * 60 * 1000;

/** One file alone, before it counts as hung. */
const FILE_LIMIT_MS = 10 * 60 * 1000;

/** More failed files than this are no accident of a busy machine. */
export const MAX_FILES_AGAIN = 3;

const REPORT = join(CACHE, "tests.json");
const REPORT_AGAIN = join(CACHE, "tests-again.json");
const FLAKY_REPORT = join(CACHE, "flaky.txt");

/**
 * All tests, or those that the filters name. Unless `strict`, a few failed files are run once more, alone: what passes then is counted as passed and listed as flaky.
 * @param {{ filters: string[], named: string[], env: Promise<NodeJS.ProcessEnv>, strict: boolean }} options
 * @returns {import("./steps.mjs").Step}
 */
export function testStep({ filters, named, env, strict }) {
	return {
		name: "unit, server and page tests",
		async run() {
			const equipped = { ...(await env), RIGHTSEAT_TEST_BUILT: "1" };
			return await runTests({
				runAll: () => runVitest(filters, { named, env: equipped, report: REPORT, timeoutMs: TEST_LIMIT_MS }),
				runAgain: (path) => runVitest([path], { named, env: equipped, report: REPORT_AGAIN, timeoutMs: FILE_LIMIT_MS }),
				strict,
				flakyReport: FLAKY_REPORT,
			});
		},
	};
}

/**
 * Runs the tests that the filters name again and again, and says how often each of them failed: for a test that fails now and then.
 * @param {{ times: number, filters: string[], named: string[], env: Promise<NodeJS.ProcessEnv> }} options
 * @returns {import("./steps.mjs").Step}
 */
export function againStep({ times, filters, named, env }) {
	return {
		name: `the same tests, ${times} times`,
		async run() {
			const equipped = { ...(await env), RIGHTSEAT_TEST_BUILT: "1" };
			const options = { named, env: equipped, report: REPORT_AGAIN, timeoutMs: FILE_LIMIT_MS };
			return await countFailures(times, () => runVitest(filters, options));
		},
	};
}

/** @param {number} times @param {() => Promise<TestRun>} runAll @returns {Promise<import("./steps.mjs").Result>} */
export async function countFailures(times, runAll) {
	/** @type {Map<string, number>} */
	const failures = new Map();
	let passed = 0;
	for (let run = 1; run <= times; run += 1) {
		const { outcomes, code } = await runAll();
		const failed = (outcomes?.files ?? []).flatMap(({ path, tests, error }) => [
			...tests.flatMap(({ name, state }) => (state === "failed" ? [`${path} > ${name}`] : [])),
			...(error === "" ? [] : [`${path} (the file itself)`]),
		]);
		// A name that no test has would pass as often as one likes.
		const isEmpty = outcomes !== undefined && countOutcomes(outcomes).passed === 0;
		if (failed.length === 0 && (code !== 0 || isEmpty)) failed.push(isEmpty ? "no test ran" : "the run itself");
		for (const name of failed) failures.set(name, (failures.get(name) ?? 0) + 1);
		if (failed.length === 0) passed += 1;
		console.log(`Run ${run} of ${times}: ${failed.length === 0 ? "passed" : "FAILED"}, ${run - passed} failed so far`);
	}
	const output = [...failures].map(([name, count]) => `failed ${count} of ${times} times: ${name}`).join("\n");
	return { passed, failed: times - passed, output: output === "" ? undefined : output };
}

/**
 * @typedef {{ outcomes: import("./test-outcomes.mjs").Outcomes | undefined, code: number, timedOut: boolean }} TestRun
 * @param {{ runAll: () => Promise<TestRun>, runAgain: (path: string) => Promise<TestRun>, strict: boolean, flakyReport: string }} options
 * @returns {Promise<import("./steps.mjs").Result>}
 */
export async function runTests({ runAll, runAgain, strict, flakyReport }) {
	rmSync(flakyReport, { force: true });
	const first = await runAll();
	const failed = first.outcomes === undefined ? [] : failedFiles(first.outcomes);
	if (strict || first.timedOut || first.outcomes === undefined || failed.length === 0 || failed.length > MAX_FILES_AGAIN)
		return asResult(first);
	console.log(
		`\n${failed.length} test ${failed.length === 1 ? "file" : "files"} failed and will be run once more, alone:\n${failed.map(({ path }) => `  ${path}`).join("\n")}`,
	);
	/** @type {import("./test-outcomes.mjs").FileOutcome[]} */
	const again = [];
	const startedAt = Date.now();
	// One after another: what fails because the machine is busy must not be judged on a busy machine.
	for (const { path } of failed) {
		const { outcomes, timedOut } = await runAgain(path);
		const file = outcomes?.files.find((other) => other.path === path);
		if (!timedOut && outcomes?.homeless.length === 0 && file !== undefined) again.push(file);
	}
	const seconds = (Date.now() - startedAt) / 1000;
	const { outcomes, flakes } = joinOutcomes(first.outcomes, again);
	if (flakes.length > 0) writeFlakes(flakyReport, flakes);
	const flaky = flakes.map(({ path, test }) => `${path} > ${test}`);
	return {
		...countOutcomes(outcomes),
		...timesOf(first.outcomes, { name: "what failed, once more", seconds }),
		flaky,
		output: flaky.length === 0 ? undefined : `The first failure of each flaky test: ${relative(ROOT, flakyReport)}`,
	};
}

/** @param {TestRun} run @returns {import("./steps.mjs").Result} */
function asResult({ outcomes, code, timedOut }) {
	const counts = outcomes === undefined ? { passed: 0, failed: 0 } : { ...countOutcomes(outcomes), ...timesOf(outcomes) };
	// A run that did not come to its report fails the step, whatever it had counted.
	if (counts.failed > 0 || (code === 0 && !timedOut)) return counts;
	return { ...counts, failed: 1, output: timedOut ? "The tests hung." : undefined };
}

/** @param {import("./test-outcomes.mjs").Outcomes} outcomes @param {import("./steps.mjs").Timed[]} more */
const timesOf = ({ times, files }, ...more) => ({
	times: [...times, ...more],
	slowest: files.map(({ path, seconds }) => ({ name: path, seconds })),
});

/** @param {string} file @param {import("./test-outcomes.mjs").Flake[]} flakes */
function writeFlakes(file, flakes) {
	mkdirSync(join(file, ".."), { recursive: true });
	writeFileSync(file, flakes.map(({ path, test, error }) => `FLAKY ${path} > ${test}\n${error.replace(/^/gm, "  ")}\n`).join("\n"));
}

/** @param {string[]} filters @param {{ named: string[], env: NodeJS.ProcessEnv, report: string, timeoutMs: number }} options @returns {Promise<TestRun>} */
async function runVitest(filters, { named, env, report, timeoutMs }) {
	rmSync(report, { force: true });
	const options = { env: { ...env, RIGHTSEAT_TEST_REPORT: report }, show: true, timeoutMs };
	const { code, timedOut } = await runNode(toolPath("vitest", "vitest.mjs"), ["run", ...filters, ...namePattern(named)], options);
	return { outcomes: readOutcomes(report), code, timedOut };
}

/** The runner takes an expression, in which the brackets of a rule would be a set of letters. @param {string[]} named */
export const namePattern = (named) =>
	named.length === 0 ? [] : ["--testNamePattern", named.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")];
