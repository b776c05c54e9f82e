import { spawnSync } from "node:child_process";
import { ROOT } from "./places.mjs";
import { run } from "./run.mjs";

const LIMIT_MS = 10 * 60 * 1000;

/**
 * A third of the benchmarks in their short form, which third by the commit: finds what became several times slower, within a few commits. All of them would take the run beyond its twelve minutes: decision 0710.
 * @param {NodeJS.ProcessEnv | Promise<NodeJS.ProcessEnv>} env
 * @param {typeof run} start
 * @returns {import("./steps.mjs").Step}
 */
export function benchStep(env, start = run) {
	return {
		name: "benchmarks, short form",
		async run() {
			const args = ["--import", "tsx", "bench/support/run-benchmarks.ts", "--quick", ...thirdOfCommit()];
			const { code, output } = await start(process.execPath, args, { cwd: ROOT, env: await env, timeoutMs: LIMIT_MS });
			return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, output };
		},
	};
}

/** The same commit measures the same; without a repository everything is measured. */
function thirdOfCommit() {
	const { status, stdout } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: ROOT, encoding: "utf8" });
	return status === 0 ? ["--third", String(Number.parseInt(stdout.trim().slice(-2), 16) % 3)] : [];
}
