/** Which of the three. */
export type Third = 0 | 1 | 2;

/** Every third one. Those that take long are dealt out first, so that each third takes about as long. */
export function thirdOf(names: readonly string[], third: Third | undefined, long: readonly string[]): string[] {
	const dealt = longestFirst(names, long);
	return (third === undefined ? [...names] : dealt.filter((_, index) => index % 3 === third)).sort();
}

/** Those of `long` in its order, then the others: begun late, the longest one would be measured alone in the end. */
export function longestFirst(names: readonly string[], long: readonly string[]): string[] {
	const place = (name: string) => (long.includes(name) ? long.indexOf(name) : long.length);
	return names.toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
}

/** Undefined when it is none. */
export const readThird = (text: string | undefined): Third | undefined => ([0, 1, 2] as const).find((each) => String(each) === text);
