import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { ROOT } from "./places.mjs";

/**
 * How a run of the test runner went, file by file. `error` of a file is what failed outside of its tests: it did not load, a hook failed, or something rejected that nobody awaited.
 * @typedef {{ name: string, state: "passed" | "failed" | "skipped", seconds: number, error: string }} TestOutcome
 * `seconds` of a file are those of its worker: start, imports and hooks included; `times` says from the first start to the last end of every project.
 * @typedef {{ path: string, error: string, seconds: number, tests: TestOutcome[] }} FileOutcome
 * @typedef {{ files: FileOutcome[], homeless: string[], times: import("./steps.mjs").Timed[] }} Outcomes
 * @typedef {{ path: string, test: string, error: string }} Flake
 */

/** More of an error than this is a dump, not a message. */
const MAX_ERROR_CHARS = 8_000;

/** What stands for the file itself where a test is named. */
const THE_FILE = "(the file itself)";

/** A reporter for vitest that writes the outcomes to `file`. @param {string} file @returns {import("vitest/reporters").Reporter} */
export function createOutcomeReporter(file) {
	/** @type {Map<string, { from: number, to: number }>} */
	const projects = new Map();
	return {
		onTestModuleQueued({ project: { name } }) {
			if (!projects.has(name)) projects.set(name, { from: Date.now(), to: Date.now() });
		},
		onTestModuleEnd({ project: { name } }) {
			const span = projects.get(name);
			if (span !== undefined) span.to = Date.now();
		},
		onTestRunEnd(modules, unhandled) {
			const times = [...projects].map(([name, { from, to }]) => ({ name: `${name} tests`, seconds: (to - from) / 1000 }));
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, JSON.stringify({ ...outcomesOf(modules, unhandled), times }));
		},
	};
}

/** What the runner wrote down; undefined when it did not come that far. @param {string} file @returns {Outcomes | undefined} */
export function readOutcomes(file) {
	return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

/** The files in which something failed. @param {Outcomes} outcomes */
export const failedFiles = ({ files }) => files.filter((file) => file.error !== "" || file.tests.some(({ state }) => state === "failed"));

/** Tests by state. A file that failed outside of its tests counts as one failed test, and so does an error that belongs to no file. @param {Outcomes} outcomes */
export function countOutcomes({ files, homeless }) {
	const tests = files.flatMap((file) => file.tests);
	/** @param {TestOutcome["state"]} wanted */
	const count = (wanted) => tests.filter(({ state }) => state === wanted).length;
	const broken = files.filter(({ error, tests }) => error !== "" && !tests.some(({ state }) => state === "failed")).length;
	return { passed: count("passed"), failed: count("failed") + broken + homeless.length, skipped: count("skipped") };
}

/**
 * Joins a run with the second run of some of its files. What passed in one of the two has passed, and is a flake if it failed in the other.
 * @param {Outcomes} first
 * @param {FileOutcome[]} again
 * @returns {{ outcomes: Outcomes, flakes: Flake[] }}
 */
export function joinOutcomes(first, again) {
	/** @type {Flake[]} */
	const flakes = [];
	const files = first.files.map((file) => {
		const second = again.find(({ path }) => path === file.path);
		if (second === undefined) return file;
		const tests = file.tests.map((test, index) => better(test, sameTest(file.tests, index, second.tests)));
		for (const { flake } of tests) if (flake !== undefined) flakes.push({ path: file.path, ...flake });
		if (file.error !== "" && second.error === "") flakes.push({ path: file.path, test: THE_FILE, error: file.error });
		return { ...file, error: second.error, tests: tests.map(({ test }) => test) };
	});
	return { outcomes: { ...first, files }, flakes };
}

/** The same test of the other run: by name, and where several have one name, by their order. @param {TestOutcome[]} tests @param {number} index @param {TestOutcome[]} others */
function sameTest(tests, index, others) {
	/** @param {TestOutcome} test */
	const isNamesake = (test) => test.name === tests[index]?.name;
	return others.filter(isNamesake)[tests.slice(0, index).filter(isNamesake).length];
}

/** @param {TestOutcome} first @param {TestOutcome | undefined} second */
function better(first, second) {
	const failed = [first, second].find((test) => test?.state === "failed");
	const passed = [first, second].find((test) => test?.state === "passed");
	const flake = failed !== undefined && passed !== undefined ? { test: first.name, error: failed.error } : undefined;
	return { test: passed ?? failed ?? first, flake };
}

/**
 * @param {Parameters<NonNullable<import("vitest/reporters").Reporter["onTestRunEnd"]>>[0]} modules
 * @param {Parameters<NonNullable<import("vitest/reporters").Reporter["onTestRunEnd"]>>[1]} unhandled
 * @returns {Omit<Outcomes, "times">}
 */
function outcomesOf(modules, unhandled) {
	const known = new Set(modules.map(({ moduleId }) => moduleId));
	const nobodys = unhandled.filter(({ VITEST_TEST_PATH: path }) => !known.has(String(path)));
	// The process of a file that did not come to its end has died, and the error of the pool does not say whose it was.
	const unfinished = modules.filter((module) => ["queued", "pending"].includes(module.state()));
	const files = modules.map((module) => ({
		path: relative(ROOT, module.moduleId),
		error: textOf([
			...module.errors(),
			...suiteErrors(module),
			...unhandled.filter((error) => error.VITEST_TEST_PATH === module.moduleId),
			...(unfinished.includes(module) ? [{ message: "This file did not come to its end." }, ...nobodys] : []),
		]),
		seconds: secondsOf(module),
		tests: [...module.children.allTests()].map(testOutcome),
	}));
	return { files, homeless: unfinished.length > 0 ? [] : nobodys.map((error) => textOf([error])) };
}

/** @param {import("vitest/node").TestCase} test @returns {TestOutcome} */
function testOutcome(test) {
	const { state, errors = [] } = test.result();
	const seconds = Math.round(test.diagnostic()?.duration ?? 0) / 1000;
	return { name: test.fullName, state: state === "passed" || state === "failed" ? state : "skipped", seconds, error: textOf(errors) };
}

/** @param {import("vitest/node").TestModule} module */
function secondsOf(module) {
	const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic();
	return Math.round(environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration) / 1000;
}

/** Errors of hooks inside a `describe`. @param {import("vitest/node").TestModule} module */
const suiteErrors = (module) => [...module.children.allSuites()].flatMap((suite) => suite.errors());

/** @param {readonly { message?: string, stack?: string }[]} errors */
function textOf(errors) {
	const texts = errors.map(({ message = "", stack = "" }) => (stack.includes(message) ? stack : `${message}\n${stack}`));
	return texts.join("\n\n").slice(0, MAX_ERROR_CHARS);
}
