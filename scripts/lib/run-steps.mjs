import { elapsed } from "./progress.mjs";

/**
 * Runs every step, also after a failure, and says how each went.
 * @param {import("./steps.mjs").Step[]} steps
 */
export async function runSteps(steps) {
	const total = { passed: 0, failed: 0, skipped: 0 };
	for (const step of steps) {
		const startedAt = Date.now();
		const { passed, failed, skipped = 0, output } = await attempt(step);
		total.passed += passed;
		total.failed += failed;
		total.skipped += skipped;
		const verdict = failed > 0 ? "FAIL" : passed === 0 && skipped > 0 ? "SKIP" : "ok  ";
		console.log(`${verdict} ${step.name} (${elapsed(startedAt)})`);
		if (output !== undefined) console.log(output.trim().replace(/^/gm, "     "));
	}
	return total;
}

/** @param {import("./steps.mjs").Step} step @returns {Promise<import("./steps.mjs").Result>} */
async function attempt(step) {
	try {
		return await step.run();
	} catch (error) {
		return { passed: 0, failed: 1, output: error instanceof Error ? error.message : String(error) };
	}
}

/**
 * The last lines of a run, and its exit code. A run in which nothing was tested has not succeeded; what was skipped is said.
 * @param {{ passed: number, failed: number, skipped: number }} total
 */
export function summary({ passed, failed, skipped }) {
	const said = skipped === 0 ? [] : [`${skipped} skipped: what they need cannot be had here, see SKIP above`];
	return { lines: [...said, `${passed} passed, ${failed} failed`], code: failed === 0 && passed > 0 ? 0 : 1 };
}
