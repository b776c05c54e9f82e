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
	const { againStep, testStep } = await import("./lib/test-step.mjs");
	const { runSteps, summary } = await import("./lib/run-steps.mjs");
	const { readArguments } = await import("./lib/test-arguments.mjs");

	const { filters, named, again, strict: isStrict } = readArguments(process.argv.slice(2));
	const startedAt = Date.now();
	const installing = { name: "installing", seconds: 0 };
	// Fetching waits for the network, so both are fetched at the same time, and the checks begin before the browser is there.
	const installed = ensureInstalled("all");
	const equipped = ensureBrowser(installed).finally(ensureProxies).finally(ensureNatsServer);
	const env = Promise.all([equipped, installed]).then(([browser]) => {
		installing.seconds = (Date.now() - startedAt) / 1000;
		return { ...process.env, ...browserEnv(browser) };
	});
	// Whoever needs it says so.
	env.catch(() => undefined);
	await installed;

	// Whoever works on a test must see it fail.
	const strict = filters.length > 0 || isStrict || process.env.RIGHTSEAT_TEST_STRICT === "1";
	const tests = again > 0 ? againStep({ times: again, filters, named, env }) : testStep({ filters, named, env, strict });
	const build = {
		name: "build",
		run: async () => {
			await ensureBuilt();
			return { passed: 1, failed: 0 };
		},
	};
	// The tests keep both cores busy, but for those that promise a deadline: the checks take what is left, and give way to every test.
	const aside = { aside: true };
	const checks = [...typecheckSteps(aside), lintStep(aside), lockStep(aside), auditStep];
	// Somebody who names a test wants that test.
	const total = await runSteps(filters.length > 0 ? [build, tests] : [[[build, tests], ...checks], benchStep(env)]);
	const whole = { name: "in all, from the first line to the last", seconds: (Date.now() - startedAt) / 1000 };
	const { lines, code } = summary({ ...total, times: [installing, ...total.times, whole] });
	for (const line of lines) console.log(line);
	process.exitCode = code;
});
