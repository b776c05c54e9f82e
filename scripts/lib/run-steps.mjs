import { elapsed } from "./progress.mjs";

/**
 * What all steps found together. `times` says where the time went: every step, or the parts of it that it names; `slowest` are test files.
 * @typedef {import("./steps.mjs").Timed} Timed
 * @typedef {{ passed: number, failed: number, skipped: number, flaky: string[], times: Timed[], slowest: Timed[] }} Total
 */

/** Files that the summary names. */
const SLOWEST_SHOWN = 10;

/**
 * What runs in turn; a list in it runs side by side, and a list in that in turn again.
 * @typedef {(import("./steps.mjs").Step | (import("./steps.mjs").Step | import("./steps.mjs").Step[])[])[]} Plan
 */

/** Runs every step, also after a failure, and says how each went. @param {Plan} plan */
export async function runSteps(plan) {
	/** @type {Total} */
	const total = { passed: 0, failed: 0, skipped: 0, flaky: [], times: [], slowest: [] };
	/** @param {import("./steps.mjs").Step | import("./steps.mjs").Step[]} steps */
	const inTurn = async (steps) => {
		for (const step of [steps].flat()) await runStep(step, total);
	};
	for (const group of plan) await Promise.all((Array.isArray(group) ? group : [group]).map(inTurn));
	return total;
}

/** @param {import("./steps.mjs").Step} step @param {Total} total */
async function runStep(step, total) {
	const startedAt = Date.now();
	const { passed, failed, skipped = 0, flaky = [], times, slowest = [], output } = await attempt(step);
	total.passed += passed;
	total.failed += failed;
	total.skipped += skipped;
	total.flaky.push(...flaky);
	total.times.push(...(times ?? [{ name: step.name, seconds: (Date.now() - startedAt) / 1000 }]));
	total.slowest.push(...slowest);
	const verdict = failed > 0 ? "FAIL" : passed === 0 && skipped > 0 ? "SKIP" : "ok  ";
	console.log(`${verdict} ${step.name} (${elapsed(startedAt)})`);
	if (output !== undefined) console.log(output.trim().replace(/^/gm, "     "));
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
 * @param {Total} total
 */
export function summary({ passed, failed, skipped, flaky, times, slowest }) {
	const repaired =
		flaky.length === 0
			? []
			: [...flaky.map((name) => `FLAKY ${name}`), `${flaky.length} flaky: passed only when run again alone, to be mended`];
	const said = skipped === 0 ? [] : [`${skipped} skipped: what they need cannot be had here, see SKIP above`];
	const spent = [...timeLines("Where the time went:", times), ...timeLines("Slowest test files:", longest(slowest))];
	return { lines: [...spent, ...repaired, ...said, `${passed} passed, ${failed} failed`], code: failed === 0 && passed > 0 ? 0 : 1 };
}

/** @param {Timed[]} timed */
const longest = (timed) => [...timed].sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_SHOWN);

/** @param {string} title @param {Timed[]} timed */
const timeLines = (title, timed) =>
	timed.length === 0 ? [] : [title, ...timed.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${name}`)];
