/** Where an item dragged from `from` lands when let go over row `over`, in its upper or lower half. */
export function dropIndex(from: number, over: number, half: "upper" | "lower"): number {
	const gap = half === "upper" ? over : over + 1;
	return gap > from ? gap - 1 : gap;
}
