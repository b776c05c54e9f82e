import type { Part } from "../frame/part.ts";
import type { Plan } from "../frame/plan.ts";
import { type Played, play } from "../frame/play.ts";

/** So many tries at most: a long plan that fails late would take hours to shrink to the end. */
const MAX_TRIES = 400;

/** The same broken promise with as few steps as possible: pieces are left out, smaller and smaller ones, as long as it still breaks. */
export async function shrink(
	plan: Plan,
	parts: readonly Part[],
	{ maxTries = MAX_TRIES, onTry = (_: number): void => undefined } = {},
): Promise<{ plan: Plan; played: Played; tries: number }> {
	let best = await play(plan, parts);
	const wanted = best.violation?.invariant;
	let steps = plan.steps;
	let tries = 0;
	for (let size = Math.ceil(steps.length / 2); size >= 1 && tries < maxTries; ) {
		let isShorter = false;
		for (let at = 0; at < steps.length && tries < maxTries; ) {
			const rest = [...steps.slice(0, at), ...steps.slice(at + size)];
			tries += 1;
			onTry(steps.length);
			const played = await play({ seed: plan.seed, steps: rest }, parts);
			if (played.violation?.invariant === wanted) {
				[steps, best, isShorter] = [rest, played, true];
			} else at += size;
		}
		if (size === 1 && !isShorter) break;
		size = size === 1 ? 1 : Math.ceil(size / 2);
	}
	return { plan: { seed: plan.seed, steps }, played: best, tries };
}
