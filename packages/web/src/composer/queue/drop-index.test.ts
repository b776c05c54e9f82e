import { expect, test } from "vitest";
import { dropIndex } from "./drop-index.ts";

/** What the server makes of a move: the prompt leaves its place, then stands at the index. */
function moved(items: readonly string[], from: number, to: number): string[] {
	const rest = items.filter((_, index) => index !== from);
	return [...rest.slice(0, to), ...items.slice(from, from + 1), ...rest.slice(to)];
}

test("[PG61] a dragged prompt lands on the side of the row where it was let go, and every other one keeps its order", () => {
	const items = ["a", "b", "c"];
	expect(moved(items, 0, dropIndex(0, 2, "lower"))).toEqual(["b", "c", "a"]);
	expect(moved(items, 0, dropIndex(0, 2, "upper"))).toEqual(["b", "a", "c"]);
	expect(moved(items, 2, dropIndex(2, 0, "upper"))).toEqual(["c", "a", "b"]);
	expect(moved(items, 1, dropIndex(1, 1, "lower"))).toEqual(items);
});
