import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { judgeAudit } from "../../scripts/lib/audit-step.mjs";
import { runSteps, summary } from "../../scripts/lib/run-steps.mjs";
import { readReport } from "../../scripts/lib/steps.mjs";

afterEach(() => vi.restoreAllMocks());

test("[CF26] a step that fails or throws does not hide the others", async () => {
	const printed: string[] = [];
	vi.spyOn(console, "log").mockImplementation((line) => printed.push(line));
	const total = await runSteps([
		{ name: "first", run: () => Promise.reject(new Error("broken")) },
		{ name: "second", run: async () => ({ passed: 0, failed: 2, output: "two are wrong" }) },
		{ name: "third", run: async () => ({ passed: 5, failed: 0 }) },
		{ name: "fourth", run: async () => ({ passed: 0, failed: 0, skipped: 1, output: "no network" }) },
	]);
	expect(total).toEqual({ passed: 5, failed: 3, skipped: 1 });
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
	expect(summary(total)).toEqual({ lines, code });
});

test("[CF26] a test file that does not load counts as failed", () => {
	const folder = mkdtempSync(join(tmpdir(), "rightseat-report-"));
	const file = join(folder, "report.json");
	const testResults = [
		{ status: "failed", assertionResults: [] },
		{ status: "failed", assertionResults: [{}] },
		{ status: "passed", assertionResults: [{}] },
	];
	writeFileSync(file, JSON.stringify({ numPassedTests: 4, numFailedTests: 1, numPendingTests: 3, testResults }));
	expect(readReport(file)).toEqual({ passed: 4, failed: 2, skipped: 3 });
	expect(readReport(join(folder, "none.json"))).toEqual({ passed: 0, failed: 0 });
	rmSync(folder, { recursive: true });
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
