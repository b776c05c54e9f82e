import { afterEach, expect, test, vi } from "vitest";
import { judgeAudit } from "../../scripts/lib/audit-step.mjs";
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
	expect(total).toEqual({ passed: 5, failed: 3, skipped: 1, flaky: ["a.test.ts > now and then"] });
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

test.each([
	[{ passed: 3, failed: 0, skipped: 0 }, ["3 passed, 0 failed"], 0],
	[{ passed: 3, failed: 1, skipped: 0 }, ["3 passed, 1 failed"], 1],
	[{ passed: 0, failed: 0, skipped: 0 }, ["0 passed, 0 failed"], 1],
	[{ passed: 3, failed: 0, skipped: 2 }, [expect.stringMatching(/^2 skipped/), "3 passed, 0 failed"], 0],
	[{ passed: 0, failed: 0, skipped: 2 }, [expect.stringMatching(/^2 skipped/), "0 passed, 0 failed"], 1],
])("[CF26] the totals of %j end with one line and an exit code", (total, lines, code) => {
	expect(summary({ ...total, flaky: [] })).toEqual({ lines, code });
});

test("[AR150] what passed only in a second run is said in capitals, before the last line", () => {
	expect(summary({ passed: 3, failed: 0, skipped: 1, flaky: ["a.test.ts > now and then"] })).toEqual({
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
