import fc from "fast-check";
import { expect, test } from "vitest";
import { dropIndex, moveItem } from "./queue-order.ts";

test("[PG61] moving a queued prompt keeps every other one in its order", () => {
	expect(moveItem(["a", "b", "c", "d"], 0, 2)).toEqual(["b", "c", "a", "d"]);
	fc.assert(
		fc.property(fc.uniqueArray(fc.integer(), { minLength: 1 }), fc.nat(40), fc.integer({ min: -5, max: 40 }), (items, from, to) => {
			const moved = moveItem(items, from, to);
			expect(moved.toSorted()).toEqual(items.toSorted());
			const item = items[from];
			expect(moved.filter((other) => other !== item)).toEqual(items.filter((other) => other !== item));
		}),
	);
});

test("[PG61] a dragged prompt lands on the side of the row where it was let go", () => {
	const items = ["a", "b", "c"];
	expect(moveItem(items, 0, dropIndex(0, 2, "lower"))).toEqual(["b", "c", "a"]);
	expect(moveItem(items, 0, dropIndex(0, 2, "upper"))).toEqual(["b", "a", "c"]);
	expect(moveItem(items, 2, dropIndex(2, 0, "upper"))).toEqual(["c", "a", "b"]);
	expect(moveItem(items, 1, dropIndex(1, 1, "lower"))).toEqual(items);
});
