import { defineConfig } from "vitest/config";
import { linkWorkspaces } from "./scripts/lib/link-workspaces.mjs";
import { createOutcomeReporter } from "./scripts/lib/test-outcomes.mjs";

linkWorkspaces();

const limits = { testTimeout: 30_000, hookTimeout: 60_000 };

/** `npm test` counts what this file says. */
const report = process.env.RIGHTSEAT_TEST_REPORT ?? "";

export default defineConfig({
	test: {
		reporters: report === "" ? ["default"] : ["default", createOutcomeReporter(report)],
		maxWorkers: 2,
		// A worker that a test left busy must not hold up the whole run.
		teardownTimeout: 10_000,
		projects: [
			{
				test: {
					...limits,
					name: "unit",
					include: ["packages/*/src/**/*.test.{ts,tsx}", "test/unit/**/*.test.ts"],
					sequence: { groupOrder: 0 },
				},
			},
			{
				test: {
					...limits,
					name: "integration",
					include: ["test/features/**/*.server.test.ts"],
					testTimeout: 60_000,
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
					// Two browsers at once on two cores make every deadline a lottery.
					maxWorkers: 1,
					sequence: { groupOrder: 2 },
				},
			},
		],
	},
});
