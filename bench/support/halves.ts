/** Every second one. Those that take long are dealt out first, so that both halves take as long. */
export function halfOf(names: readonly string[], half: 0 | 1 | undefined, long: readonly string[]): string[] {
	const dealt = names.toSorted((a, b) => Number(long.includes(b)) - Number(long.includes(a)) || (a < b ? -1 : 1));
	return (half === undefined ? [...names] : dealt.filter((_, index) => index % 2 === half)).sort();
}
