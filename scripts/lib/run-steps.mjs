import { elapsed } from "./progress.mjs";

/**
 * Runs every step, also after a failure, and says how each went.
 * @param {import("./steps.mjs").Step[]} steps
 */
export async function runSteps(steps) {
	/** @type {{ passed: number, failed: number, skipped: number, flaky: string[] }} */
	const total = { passed: 0, failed: 0, skipped: 0, flaky: [] };
	for (const step of steps) {
		const startedAt = Date.now();
		const { passed, failed, skipped = 0, flaky = [], output } = await attempt(step);
		total.passed += passed;
		total.failed += failed;
		total.skipped += skipped;
		total.flaky.push(...flaky);
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
 * The last lines of a run, and its exit code. A run in which nothing was tested has not succeeded; what was skipped, and what passed only when it was run again, is said.
 * @param {{ passed: number, failed: number, skipped: number, flaky: string[] }} total
 */
export function summary({ passed, failed, skipped, flaky }) {
	const repaired =
		flaky.length === 0
			? []
			: [...flaky.map((name) => `FLAKY ${name}`), `${flaky.length} flaky: passed only when run again alone, to be mended`];
	const said = skipped === 0 ? [] : [`${skipped} skipped: what they need cannot be had here, see SKIP above`];
	return { lines: [...repaired, ...said, `${passed} passed, ${failed} failed`], code: failed === 0 && passed > 0 ? 0 : 1 };
}
