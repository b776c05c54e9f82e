import { requireSupportedNode } from "./lib/node-version.mjs";

requireSupportedNode();

const { runScript } = await import("./lib/progress.mjs");
await runScript(async () => {
	const { ensureInstalled } = await import("./lib/install.mjs");
	const { ensureBuilt } = await import("./lib/build.mjs");
	const { browserEnv, ensureBrowser } = await import("./lib/browser.mjs");
	const { ensureNatsServer } = await import("./lib/nats-server.mjs");
	const { ensureProxies } = await import("./lib/proxies.mjs");
	const { auditStep } = await import("./lib/audit-step.mjs");
	const { benchStep } = await import("./lib/bench-step.mjs");
	const { lintStep, lockStep, typecheckSteps } = await import("./lib/steps.mjs");
	const { testStep } = await import("./lib/test-step.mjs");
	const { runSteps, summary } = await import("./lib/run-steps.mjs");

	const startedAt = Date.now();
	// Fetching waits for the network, so both are fetched at the same time.
	const installed = ensureInstalled("all");
	const [browser] = await Promise.all([ensureBrowser(installed).finally(ensureProxies).finally(ensureNatsServer), installed]);
	const prepared = { name: "installing", seconds: (Date.now() - startedAt) / 1000 };

	const filters = process.argv.slice(2).filter((argument) => argument !== "--strict");
	const env = { ...process.env, ...browserEnv(browser) };
	// Whoever works on a test must see it fail.
	const strict = filters.length > 0 || process.argv.includes("--strict") || process.env.RIGHTSEAT_TEST_STRICT === "1";
	const tests = testStep({ filters, env: { ...env, RIGHTSEAT_TEST_BUILT: "1" }, strict });
	const build = {
		name: "build",
		run: async () => {
			await ensureBuilt();
			return { passed: 1, failed: 0 };
		},
	};
	const checks = [build, ...typecheckSteps(), lintStep, lockStep, auditStep];
	// Somebody who names a test wants that test.
	const total = await runSteps(filters.length > 0 ? [build, tests] : [checks, tests, benchStep(env)]);
	const { lines, code } = summary({ ...total, times: [prepared, ...total.times] });
	for (const line of lines) console.log(line);
	process.exitCode = code;
});
