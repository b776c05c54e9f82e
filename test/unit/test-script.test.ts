import { afterEach, expect, test, vi } from "vitest";
import { judgeAudit } from "../../scripts/lib/audit-step.mjs";
import { benchStep } from "../../scripts/lib/bench-step.mjs";
import { runSteps, summary } from "../../scripts/lib/run-steps.mjs";

afterEach(() => vi.restoreAllMocks());

test("[CF26] a step that fails or throws does not hide the others", async () => {
	const printed: string[] = [];
	vi.spyOn(console, "log").mockImplementation((line) => printed.push(line));
	const total = await runSteps([
		{ name: "first", run: () => Promise.reject(new Error("broken")) },
		{ name: "second", run: async () => ({ passed: 0, failed: 2, output: "two are wrong" }) },
		{ name: "third", run: async () => ({ passed: 5, failed: 0, flaky: ["a.test.ts > now and then"] }) },
		{ name: "fourth", run: async () => ({ passed: 0, failed: 0, skipped: 1, output: "no network" }) },
	]);
	expect(total).toMatchObject({ passed: 5, failed: 3, skipped: 1, flaky: ["a.test.ts > now and then"] });
	expect(printed.map((line) => line.replace(/ \([\d.]+ s\)$/, ""))).toEqual([
		"FAIL first",
		"     broken",
		"FAIL second",
		"     two are wrong",
		"ok   third",
		"SKIP fourth",
		"     no network",
	]);
});

test("[AR320] steps of one group run side by side, and the next group waits for all of them", async () => {
	vi.spyOn(console, "log").mockImplementation(() => undefined);
	const events: string[] = [];
	let open: () => void = () => undefined;
	const gate = new Promise<void>((resolve) => {
		open = resolve;
	});
	const step = (name: string, work: () => unknown) => ({
		name,
		run: async () => {
			events.push(`${name} begins`);
			await work();
			events.push(`${name} ends`);
			return { passed: 1, failed: 0 };
		},
	});
	await runSteps([
		[step("waiting", () => gate), [step("first", () => undefined), step("opening", () => open())]],
		step("last", () => undefined),
	]);
	expect(events.slice(0, 2)).toEqual(["waiting begins", "first begins"]);
	expect(events.indexOf("opening begins")).toBeGreaterThan(events.indexOf("first ends"));
	expect(events.slice(-2)).toEqual(["last begins", "last ends"]);
});

test("[BN21] a third of the benchmarks is measured in their short form, and a missed goal fails the step with what was printed", async () => {
	const started: string[][] = [];
	const ended = (code: number) => async (_program: string, args: string[]) => {
		started.push(args);
		return { code, output: "missed its goal", stdout: "", timedOut: false };
	};
	expect(await benchStep({}, ended(0)).run()).toEqual({ passed: 1, failed: 0 });
	expect(await benchStep({}, ended(1)).run()).toEqual({ passed: 0, failed: 1, output: "missed its goal" });
	const [, , program, form, option = "", third = ""] = started[0] ?? [];
	expect([program, form]).toEqual(["bench/support/run-benchmarks.ts", "--quick"]);
	// Outside a repository there is no commit to say which third.
	expect(["--third 0", "--third 1", "--third 2", " "]).toContain(`${option} ${third}`);
	expect(started[1]).toEqual(started[0]);
});

test("[AR320] the summary says where the time went, and which test files took longest", async () => {
	vi.spyOn(console, "log").mockImplementation(() => undefined);
	const slowest = Array.from({ length: 12 }, (_, index) => ({ name: `file-${index}.test.ts`, seconds: index }));
	const times = [
		{ name: "unit tests", seconds: 90.04 },
		{ name: "page tests", seconds: 100 },
	];
	const total = await runSteps([
		{ name: "build", run: async () => ({ passed: 1, failed: 0 }) },
		{ name: "all tests", run: async () => ({ passed: 3, failed: 0, times, slowest }) },
	]);
	const { lines } = summary(total);
	expect(lines.slice(0, 5)).toEqual([
		...["Where the time went:", expect.stringMatching(/^ +\d+\.\d s {2}build$/), "    90.0 s  unit tests", "   100.0 s  page tests"],
		"Slowest test files:",
	]);
	expect(lines.slice(5, -1)).toEqual(
		Array.from({ length: 10 }, (_, index) => `${(11 - index).toFixed(1).padStart(8)} s  file-${11 - index}.test.ts`),
	);
	expect(lines.at(-1)).toBe("4 passed, 0 failed");
});

test.each([
	[{ passed: 3, failed: 0, skipped: 0 }, ["3 passed, 0 failed"], 0],
	[{ passed: 3, failed: 1, skipped: 0 }, ["3 passed, 1 failed"], 1],
	[{ passed: 0, failed: 0, skipped: 0 }, ["0 passed, 0 failed"], 1],
	[{ passed: 3, failed: 0, skipped: 2 }, [expect.stringMatching(/^2 skipped/), "3 passed, 0 failed"], 0],
	[{ passed: 0, failed: 0, skipped: 2 }, [expect.stringMatching(/^2 skipped/), "0 passed, 0 failed"], 1],
])("[CF26] the totals of %j end with one line and an exit code", (total, lines, code) => {
	expect(summary({ ...total, flaky: [], times: [], slowest: [] })).toEqual({ lines, code });
});

test("[AR150] what passed only in a second run is said in capitals, before the last line", () => {
	expect(summary({ passed: 3, failed: 0, skipped: 1, flaky: ["a.test.ts > now and then"], times: [], slowest: [] })).toEqual({
		lines: ["FLAKY a.test.ts > now and then", expect.stringMatching(/^1 flaky/), expect.stringMatching(/^1 skipped/), "3 passed, 0 failed"],
		code: 0,
	});
});

test("[SE37] a known weakness of a dependency fails the tests; a registry that cannot audit is a skip that is said, not a success", () => {
	const found = JSON.stringify(
		{ metadata: { vulnerabilities: { info: 0, low: 1, moderate: 0, high: 2, critical: 0, total: 3 } } },
		null,
		2,
	);
	expect(judgeAudit({ code: 1, output: found })).toMatchObject({ passed: 0, failed: 1 });
	expect(judgeAudit({ code: 1, output: '{"error":{"code":"ENOAUDIT"}}' })).toEqual({
		passed: 0,
		failed: 0,
		skipped: 1,
		output: expect.stringContaining("NOT AUDITED"),
	});
	expect(judgeAudit({ code: 0, output: "{}" })).toEqual({ passed: 1, failed: 0 });
});
