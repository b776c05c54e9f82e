import { expect, test } from "vitest";
import { FILTER_BUDGET_MS, filterLines } from "./filter.ts";

const filter = (text: string, pattern: string) => filterLines({ begin: "", gapChars: 0, end: text }, pattern, { limit: 10_000, hint: "" });

test("[SH21] only lines that match are returned", async () => {
	expect(await filter("info a\nerror b\ninfo c\nerror d", "^error")).toEqual({ ok: true, text: "error b\nerror d\n" });
	expect(await filter("a\n", "(?i)X")).toEqual({ ok: true, text: "" });
});

test("[SH21] a pattern that is not valid is an error that says so", async () => {
	for (const pattern of ["[", "(?=x)", "(a)\\1", "x".repeat(501)]) {
		const { ok, text } = await filter("x\n", pattern);
		expect(ok).toBe(false);
		expect(text).toContain("filter");
	}
});

test("[SH21] an evil pattern takes bounded time", async () => {
	await filter("warm\n", "up");
	const began = performance.now();
	expect(await filter(`${"a".repeat(5_000)}!\n`, "(a+)+$")).toEqual({ ok: true, text: "" });
	expect(performance.now() - began).toBeLessThan(2_000);
	const slow = await filterLines({ begin: "", gapChars: 0, end: "a\n".repeat(100_000) }, "b$", { limit: 10_000, hint: "", budgetMs: 0 });
	expect(slow).toEqual({ ok: false, text: "The filter took too long. Use a simpler regular expression." });
	expect(FILTER_BUDGET_MS).toBeLessThanOrEqual(250);
});

test("[SH21] what was left out of memory is named as not searched", async () => {
	const { text } = await filterLines({ begin: "a1\nb\n", gapChars: 900, end: "b\na2\n" }, "a", {
		limit: 10_000,
		hint: "; full output: /f",
	});
	expect(text).toBe("a1\n... 900 characters here were not searched; full output: /f ...\na2\n");
});
