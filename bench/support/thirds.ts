/** Which of the three. */
export type Third = 0 | 1 | 2;

/** Every third one. Those that take long are dealt out first, so that each third takes about as long. */
export function thirdOf(names: readonly string[], third: Third | undefined, long: readonly string[]): string[] {
	const dealt = names.toSorted((a, b) => Number(long.includes(b)) - Number(long.includes(a)) || (a < b ? -1 : 1));
	return (third === undefined ? [...names] : dealt.filter((_, index) => index % 3 === third)).sort();
}

/** Undefined when it is none. */
export const readThird = (text: string | undefined): Third | undefined => ([0, 1, 2] as const).find((each) => String(each) === text);
