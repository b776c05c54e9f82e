import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { linkWorkspaces } from "./scripts/lib/link-workspaces.mjs";
import { createOutcomeReporter } from "./scripts/lib/test-outcomes.mjs";

linkWorkspaces();

/** Generous, so that a busy machine fails nobody; a deadline that is a promise stands in its test. */
const limits = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 15_000 } } };

/** Begun first, because a run should not end with one of them alone on one core. */
const LONG = [
	"faults/faults.server",
	"agent/errors.server",
	"telegram/whole.server",
	"agent/death.server",
	"window/accessible-screens.page",
];

class LongFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const sorted = await super.sort(files);
		const isLong = ({ moduleId }: TestSpecification) => LONG.some((name) => moduleId.endsWith(`/${name}.test.ts`));
		return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
	}
}

/** `npm test` counts what this file says. */
const report = process.env.RIGHTSEAT_TEST_REPORT ?? "";

export default defineConfig({
	test: {
		reporters: report === "" ? ["default"] : ["default", createOutcomeReporter(report)],
		maxWorkers: 2,
		sequence: { sequencer: LongFirst },
		// A worker that a test left busy must not hold up the whole run.
		teardownTimeout: 10_000,
		projects: [
			{
				test: {
					...limits,
					name: "unit",
					setupFiles: ["test/support/patient-page-tests.ts"],
					include: ["packages/*/src/**/*.test.{ts,tsx}", "test/unit/**/*.test.ts"],
					sequence: { groupOrder: 0 },
				},
			},
			{
				test: {
					...limits,
					name: "integration",
					include: ["test/features/**/*.server.test.ts"],
					sequence: { groupOrder: 1 },
				},
			},
			{
				test: {
					...limits,
					name: "e2e",
					include: ["test/features/**/*.page.test.ts"],
					globalSetup: ["test/support/build-page.ts"],
					testTimeout: 120_000,
					hookTimeout: 120_000,
					sequence: { groupOrder: 2 },
				},
			},
			{
				test: {
					...limits,
					name: "e2e-alone",
					// What promises a deadline: two browsers at once on two cores make it a lottery.
					include: ["test/features/**/*.alone.test.ts"],
					globalSetup: ["test/support/build-page.ts"],
					testTimeout: 120_000,
					hookTimeout: 120_000,
					maxWorkers: 1,
					sequence: { groupOrder: 3 },
				},
			},
		],
	},
});
