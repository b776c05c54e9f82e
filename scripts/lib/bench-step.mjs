import { ROOT } from "./places.mjs";
import { run } from "./run.mjs";

const LIMIT_MS = 10 * 60 * 1000;

/**
 * All benchmarks in their short form: finds what became several times slower.
 * @param {NodeJS.ProcessEnv | Promise<NodeJS.ProcessEnv>} env
 * @param {typeof run} start
 * @returns {import("./steps.mjs").Step}
 */
export function benchStep(env, start = run) {
	return {
		name: "benchmarks, short form",
		async run() {
			const args = ["--import", "tsx", "bench/support/run-benchmarks.ts", "--quick"];
			const { code, output } = await start(process.execPath, args, { cwd: ROOT, env: await env, timeoutMs: LIMIT_MS });
			return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, output };
		},
	};
}
