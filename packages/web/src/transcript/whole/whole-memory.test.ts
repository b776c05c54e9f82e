import { expect, test } from "vitest";
import { createWholeMemory } from "./whole-memory.ts";

test("[PG353] what was opened is kept in a bounded number of bytes, the newest first", () => {
	const memory = createWholeMemory<string>(40);
	const keys = () => ["a", "b", "c"].filter((key) => memory.get(key) !== undefined);
	memory.keep("a", "12345678");
	memory.keep("b", "12345678");
	expect(keys()).toEqual(["a", "b"]);
	memory.keep("b", "1234");
	memory.keep("a", "12");
	expect(keys()).toEqual(["a", "b"]);
	memory.keep("c", "123456789012345678");
	expect([keys(), memory.get("c")]).toEqual([["c"], "123456789012345678"]);
	memory.keep("c", "1234567890123456789");
	expect(keys()).toEqual([]);
});
