import { defineConfig } from "vitest/config";

const quiet = { testTimeout: 30_000, hookTimeout: 60_000 };

export default defineConfig({
	test: {
		maxWorkers: 2,
		projects: [
			{ test: { name: "unit", include: ["packages/*/src/**/*.test.{ts,tsx}", "test/unit/**/*.test.ts"], ...quiet } },
			{ test: { name: "integration", include: ["test/integration/**/*.test.ts"], ...quiet, testTimeout: 60_000 } },
			{ test: { name: "e2e", include: ["test/e2e/**/*.test.ts"], ...quiet, testTimeout: 120_000 } },
		],
	},
});
