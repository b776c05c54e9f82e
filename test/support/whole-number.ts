/**
 * The number that follows an option. Throws an Error with a sentence for people: a number of rounds that is none, or 0, would play nothing and find
 * nothing wrong.
 */
export function wholeNumber(option: string, given: string, least: 0 | 1 = 0): number {
	const parsed = Number(given);
	if (given.trim() === "" || !Number.isSafeInteger(parsed) || parsed < least)
		throw new Error(`${option} takes a whole number${least === 0 ? "" : " above 0"}.`);
	return parsed;
}
