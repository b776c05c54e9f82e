/** The list with one item at another place; an index outside is the nearest end. */
export function moveItem<T>(items: readonly T[], from: number, to: number): T[] {
	const moved = items[from];
	if (moved === undefined) return [...items];
	const rest = items.filter((_, index) => index !== from);
	const at = Math.max(0, Math.min(to, rest.length));
	return [...rest.slice(0, at), moved, ...rest.slice(at)];
}

/** Where an item dragged from `from` lands when let go over row `over`, in its upper or lower half. */
export function dropIndex(from: number, over: number, half: "upper" | "lower"): number {
	const gap = half === "upper" ? over : over + 1;
	return gap > from ? gap - 1 : gap;
}
