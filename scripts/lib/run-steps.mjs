import { elapsed } from "./progress.mjs";

/**
 * Runs every step, also after a failure, and says how each went.
 * @param {import("./steps.mjs").Step[]} steps
 */
export async function runSteps(steps) {
	const total = { passed: 0, failed: 0 };
	for (const step of steps) {
		const startedAt = Date.now();
		const { passed, failed, output } = await attempt(step);
		total.passed += passed;
		total.failed += failed;
		console.log(`${failed === 0 ? "ok  " : "FAIL"} ${step.name} (${elapsed(startedAt)})`);
		if (output !== undefined) console.log(output.trim().replace(/^/gm, "     "));
	}
	return total;
}

/** @param {import("./steps.mjs").Step} step */
async function attempt(step) {
	try {
		return await step.run();
	} catch (error) {
		return { passed: 0, failed: 1, output: error instanceof Error ? error.message : String(error) };
	}
}

/**
 * The last line of a run, and its exit code. A run in which nothing was tested has not succeeded.
 * @param {{ passed: number, failed: number }} total
 */
export function summary({ passed, failed }) {
	return { line: `${passed} passed, ${failed} failed`, code: failed === 0 && passed > 0 ? 0 : 1 };
}
