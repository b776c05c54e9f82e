import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NODE_MODULES, ROOT } from "../../scripts/lib/places.mjs";
import { readArguments } from "../../scripts/lib/test-arguments.mjs";
import { countOutcomes, failedFiles, joinOutcomes, readOutcomes } from "../../scripts/lib/test-outcomes.mjs";
import { countFailures, MAX_FILES_AGAIN, namePattern, runTests } from "../../scripts/lib/test-step.mjs";

type State = "passed" | "failed" | "skipped";
/** A file of the report: its tests' states in order, and what failed outside of them. */
const file = (path: string, states: State[], error = "") => ({
	path,
	error,
	seconds: 2,
	tests: states.map((state, index) => ({ name: `test ${index}`, state, seconds: 1, error: state === "failed" ? "too late" : "" })),
});
const times = [{ name: "unit tests", seconds: 60 }];
const ran = (...files: ReturnType<typeof file>[]) => {
	const outcomes = { files, homeless: [], times };
	return { outcomes, code: failedFiles(outcomes).length === 0 ? 0 : 1, timedOut: false };
};

let folder: string;
let flakyReport: string;
beforeEach(() => {
	vi.spyOn(console, "log").mockImplementation(() => undefined);
	folder = mkdtempSync(join(tmpdir(), "rightseat-outcomes-"));
	flakyReport = join(folder, "flaky.txt");
});
afterEach(() => {
	vi.restoreAllMocks();
	rmSync(folder, { recursive: true });
});

test("[AR150] a failed file is run again, alone; what passes then has passed, is named, and its first failure is kept", async () => {
	const again: string[] = [];
	const result = await runTests({
		runAll: async () => ran(file("a", ["passed", "failed"]), file("b", ["passed"]), file("c", ["failed", "failed"])),
		runAgain: async (path) => {
			again.push(path);
			return path === "a" ? ran(file("a", ["passed", "passed"])) : ran(file("c", ["passed", "failed"]));
		},
		strict: false,
		flakyReport,
	});
	expect(again).toEqual(["a", "c"]);
	expect(result).toMatchObject({ passed: 4, failed: 1, skipped: 0, flaky: ["a > test 1", "c > test 0"] });
	expect(result.times).toEqual([...times, { name: "what failed, once more", seconds: expect.any(Number) }]);
	expect(readFileSync(flakyReport, "utf8")).toBe("FLAKY a > test 1\n  too late\n\nFLAKY c > test 0\n  too late\n");
});

test("[AR150] more failed files than three are no accident: nothing is run again", async () => {
	const files = Array.from({ length: MAX_FILES_AGAIN + 1 }, (_, index) => file(`file ${index}`, ["failed"]));
	const runAgain = vi.fn();
	expect(await runTests({ runAll: async () => ran(...files), runAgain, strict: false, flakyReport })).toEqual({
		...{ passed: 0, failed: 4, skipped: 0, times },
		slowest: files.map(({ path }) => ({ name: path, seconds: 2 })),
	});
	expect(runAgain).not.toHaveBeenCalled();
});

test("[AR150] a strict run never runs anything again, and forgets the flakes of the run before", async () => {
	writeFileSync(flakyReport, "FLAKY old");
	const runAgain = vi.fn();
	const runAll = async () => ran(file("a", ["failed"]));
	expect(await runTests({ runAll, runAgain, strict: true, flakyReport })).toMatchObject({ passed: 0, failed: 1, skipped: 0 });
	expect(runAgain).not.toHaveBeenCalled();
	expect(existsSync(flakyReport)).toBe(false);
});

test.each([
	["does not come to its report", { outcomes: undefined, code: 1, timedOut: false }],
	["hangs", { ...ran(file("a", ["passed"])), timedOut: true }],
	[
		"has an error that belongs to no file",
		{ outcomes: { files: [file("a", ["passed"])], homeless: ["lost"], times }, code: 1, timedOut: false },
	],
])("[AR150] a second run that %s changes nothing", async (_, second) => {
	const result = await runTests({
		runAll: async () => ran(file("a", ["failed"])),
		runAgain: async () => second,
		strict: false,
		flakyReport,
	});
	expect(result).toMatchObject({ passed: 0, failed: 1, flaky: [] });
});

test.each([
	["does not come to its report", { outcomes: undefined, code: 1, timedOut: false }, { passed: 0, failed: 1, output: undefined }],
	[
		"ends with an error nobody explains",
		{ ...ran(file("a", ["passed"])), code: 1 },
		{ passed: 1, failed: 1, skipped: 0, times, slowest: [{ name: "a", seconds: 2 }], output: undefined },
	],
	["hangs", { outcomes: undefined, code: 1, timedOut: true }, { passed: 0, failed: 1, output: "The tests hung." }],
])("[CF26] a run of the tests that %s has failed", async (_, run, result) => {
	expect(await runTests({ runAll: async () => run, runAgain: vi.fn(), strict: false, flakyReport })).toEqual(result);
});

test("[CF26] a file that does not load, or failed outside of its tests, counts as failed, and so does an error that belongs to no file", () => {
	const files = [file("a", [], "does not load"), file("b", ["skipped"], "its hook failed"), file("c", ["failed"], "its hook failed too")];
	expect(countOutcomes({ files, homeless: ["lost"], times })).toEqual({ passed: 0, failed: 4, skipped: 1 });
});

test("[AR150] what failed outside of the tests is a flake of the file when it does not happen again", () => {
	const first = { files: [file("a", ["skipped"], "its hook failed")], homeless: [], times };
	const { outcomes, flakes } = joinOutcomes(first, [file("a", ["passed"])]);
	expect(countOutcomes(outcomes)).toEqual({ passed: 1, failed: 0, skipped: 0 });
	expect(flakes).toEqual([{ path: "a", test: "(the file itself)", error: "its hook failed" }]);
});

test("[AR150] the report of the test runner holds every failure: in a test, in a hook, at loading, of nobody's promise, and a process that died", () => {
	const sources = {
		"fails.test.js": "test('good', () => {}); test('bad', () => { throw new Error('in a test'); }); test('later', ({ skip }) => skip());",
		"dies.test.js": "test('last words', () => { process.kill(process.pid, 'SIGKILL'); });",
		"hook.test.js": "beforeAll(() => { throw new Error('in a hook'); }); test('never', () => {});",
		"loading.test.js": "throw new Error('at loading');",
		"stray.test.js":
			"test('fine', async () => { void Promise.reject(new Error('of nobody')); await new Promise((resolve) => setTimeout(resolve, 50)); });",
		"vitest.config.mjs": `import { createOutcomeReporter } from ${JSON.stringify(join(ROOT, "scripts/lib/test-outcomes.mjs"))};
			export default { test: { globals: true, reporters: [createOutcomeReporter(${JSON.stringify(join(folder, "report.json"))})] } };`,
	};
	for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text);
	spawnSync(process.execPath, [join(NODE_MODULES, "vitest/vitest.mjs"), "run", "--root", folder], { cwd: folder });
	const report = readOutcomes(join(folder, "report.json"));
	const { files, homeless } = report ?? { files: [], homeless: ["no report"] };
	const found = files.map(({ path, error, tests }) => ({
		file: path.slice(path.lastIndexOf("/") + 1),
		error: error.split("\n")[0],
		tests: tests.map(({ name, state, error: failure }) => `${name} ${state} ${failure.split("\n")[0]}`.trim()),
	}));
	expect(found.sort((a, b) => a.file.localeCompare(b.file))).toEqual([
		{ file: "dies.test.js", error: "This file did not come to its end.", tests: ["last words skipped"] },
		{ file: "fails.test.js", error: "", tests: ["good passed", "bad failed Error: in a test", "later skipped"] },
		{ file: "hook.test.js", error: "Error: in a hook", tests: ["never skipped"] },
		{ file: "loading.test.js", error: "Error: at loading", tests: [] },
		{ file: "stray.test.js", error: "Error: of nobody", tests: ["fine passed"] },
	]);
	expect(homeless).toEqual([]);
	// One project without a name, from its first file to its last.
	expect(report?.times).toEqual([{ name: " tests", seconds: expect.any(Number) }]);
	expect(Math.max(...files.map(({ seconds }) => seconds))).toBeGreaterThan(0);
});

test("[AR476] tests that are run again and again are counted by how often each failed, and a run that broke off counts", async () => {
	const runs = [ran(file("a.test.ts", ["passed", "passed"])), ran(file("a.test.ts", ["passed", "failed"]))];
	const broken = { outcomes: undefined, code: 1, timedOut: true };
	let number = 0;
	const result = await countFailures(5, async () => [...runs, ...runs, broken][number++] ?? broken);
	expect(result).toEqual({
		...{ passed: 2, failed: 3 },
		output: "failed 2 of 5 times: a.test.ts > test 1\nfailed 1 of 5 times: the run itself",
	});
	expect(await countFailures(3, async () => ran(file("a.test.ts", ["passed"])))).toEqual({ passed: 3, failed: 0, output: undefined });
});

test("[AR476] a run in which no test has the name that was given is no success", async () => {
	const result = await countFailures(2, async () => ran(file("a.test.ts", ["skipped"])));
	expect(result).toEqual({ passed: 0, failed: 2, output: "failed 2 of 2 times: no test ran" });
});

test("[AR476] how often is a number, and it is said which tests", () => {
	const nothing = { filters: [], named: [], again: 0, strict: false };
	expect(readArguments([])).toEqual(nothing);
	expect(readArguments(["--strict", "a.test.ts"])).toEqual({ ...nothing, filters: ["a.test.ts"], strict: true });
	expect(readArguments(["--again", "50", "a.test.ts", "b"])).toEqual({ ...nothing, filters: ["a.test.ts", "b"], again: 50 });
	expect(readArguments(["a.test.ts", "-t", "[PG413]", "-t", "[TG31]"])).toEqual({
		...nothing,
		filters: ["a.test.ts"],
		named: ["[PG413]", "[TG31]"],
	});
	expect(namePattern(["[PG413] a (page)", "[TG31]"])).toEqual(["--testNamePattern", "\\[PG413\\] a \\(page\\)|\\[TG31\\]"]);
	expect(namePattern([])).toEqual([]);
	for (const wrong of [
		["--again"],
		["--again", "50"],
		["--again", "a.test.ts", "b"],
		["--again", "0", "a"],
		["-t", "[PG413]"],
		["--agian"],
	]) {
		expect(() => readArguments(wrong)).toThrow(/how often/);
	}
});
