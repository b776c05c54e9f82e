import { Trouble } from "./progress.mjs";

/**
 * What `npm test` was told: the tests that are meant, and how often they shall run.
 * @param {string[]} given
 * @returns {{ filters: string[], again: number }}
 */
export function readArguments(given) {
	const at = given.indexOf("--again");
	const again = at < 0 ? 0 : Number(given[at + 1]);
	const filters = given.filter((argument, index) => argument !== "--strict" && (at < 0 || (index !== at && index !== at + 1)));
	if (at >= 0 && (!Number.isSafeInteger(again) || again < 1 || filters.length === 0))
		throw new Trouble("npm test -- --again 50 FILE…: how often, and which tests.");
	return { filters, again };
}
