import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { linkWorkspaces } from "./scripts/lib/link-workspaces.mjs";
import { createOutcomeReporter } from "./scripts/lib/test-outcomes.mjs";

linkWorkspaces();

/** Generous, so that a busy machine fails nobody; a deadline that is a promise stands in its test. A worker of its own for every file would cost a third of the processor time of the unit tests: decision 0450. */
const everywhere = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 30_000 } }, isolate: false };

/** Begun first, because a run should not end with one of them alone on one core. */
const LONG = [
	"faults/faults.server",
	"agent/contract.server",
	"agent/errors.server",
	"agents/leaving.server",
	"agents/misbehaviour.server",
	"telegram/whole.server",
	"agent/death.server",
	"agent/demo.server",
	"package/package.server",
	"guides/commands.server",
	"service/update.server",
	"cli/line.server",
	"window/accessible-screens.page",
	"reading/accessible-transcript.page",
	"changes/several-undo.page",
	"git/worktrees.page",
	"changes/review.page",
	"reading/transcript.page",
	"connection/bad-network.page",
	"faults/faults.alone",
];

/** The long ones, then what mostly waits, then the many short ones that fill the gaps; those with a document together, because a worker takes the next file only when that needs the same surroundings. */
class LongFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const rank = ({ moduleId }: TestSpecification) => {
			if (LONG.some((name) => moduleId.endsWith(`/${name}.test.ts`))) return 0;
			const needsDocument = readFileSync(moduleId, "utf8").startsWith("// @vitest-environment happy-dom");
			if (moduleId.includes("/test/features/")) return needsDocument ? 2 : 1;
			return needsDocument ? 4 : 3;
		};
		return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
	}
}

/** `npm test` counts what this file says. */
const report = process.env.RIGHTSEAT_TEST_REPORT ?? "";

/** On two cores: a server test waits half of its time, so that others can use the cores meanwhile; a page test waits a third of it. A run by hand leaves room for whoever works beside it. */
const WORKERS = report === "" ? { unitAndServer: 2, page: 2, alone: 2 } : { unitAndServer: 4, page: 3, alone: 3 };

export default defineConfig({
	test: {
		reporters: report === "" ? ["default"] : ["default", createOutcomeReporter(report)],
		sequence: { sequencer: LongFirst },
		// A worker that a test left busy must not hold up the whole run.
		teardownTimeout: 10_000,
		projects: [
			{
				test: {
					...everywhere,
					name: "unit",
					setupFiles: ["test/support/patient-page-tests.ts"],
					include: ["packages/*/src/**/*.test.{ts,tsx}", "test/unit/**/*.test.ts"],
					maxWorkers: WORKERS.unitAndServer,
					sequence: { groupOrder: 0 },
				},
			},
			{
				test: {
					...everywhere,
					name: "integration",
					include: ["test/features/**/*.server.test.ts"],
					maxWorkers: WORKERS.unitAndServer,
					sequence: { groupOrder: 0 },
				},
			},
			{
				test: {
					...everywhere,
					name: "e2e",
					include: ["test/features/**/*.page.test.ts"],
					globalSetup: ["test/support/build-page.ts"],
					testTimeout: 120_000,
					hookTimeout: 120_000,
					maxWorkers: WORKERS.page,
					sequence: { groupOrder: 1 },
				},
			},
			{
				test: {
					...everywhere,
					name: "e2e-alone",
					// What promises a deadline. Most of it waits for one, so three of them leave a quarter of two cores free; four would make it a lottery.
					include: ["test/features/**/*.alone.test.ts"],
					globalSetup: ["test/support/build-page.ts"],
					testTimeout: 120_000,
					hookTimeout: 120_000,
					maxWorkers: WORKERS.alone,
					sequence: { groupOrder: 2 },
				},
			},
		],
	},
});
