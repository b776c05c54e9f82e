import { runScript } from "./lib/progress.mjs";
import { runSteps } from "./lib/run-steps.mjs";
import { typecheckSteps } from "./lib/steps.mjs";

await runScript(async () => {
	const { failed } = await runSteps([typecheckSteps()]);
	process.exitCode = failed === 0 ? 0 : 1;
});
