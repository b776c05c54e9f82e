import { expect, test } from "vitest";
import { parseArguments } from "../../../bench/support/arguments.ts";
import { interleave } from "../../../bench/support/pairs.ts";
import { atLeast, atMost, over, QUICK_SLACK, QUICK_TIME_SLACK, ratio, row } from "../../../bench/support/row.ts";
import { median, percentile, spread } from "../../../bench/support/statistics.ts";
import { figure, markdownTable, textTable } from "../../../bench/support/table.ts";
import { longestFirst, thirdOf } from "../../../bench/support/thirds.ts";

const measured = { name: "a thing", unit: "ms", ours: [30, 10, 20], limit: [4, 6, 5], quick: false };

test("[BN1] a row holds the medians of the rounds, their ratio and the noise", () => {
	expect(row({ ...measured, goal: ratio(4) })).toEqual({
		...{ name: "a thing", unit: "ms", ours: 20, limit: 5, ratio: 4, goal: { kind: "ratio", value: 4 }, pass: true, noise: 0.5, rounds: 3 },
	});
});

test("[BN1] medians and percentiles stand between the two values around them", () => {
	expect([median([4, 1, 3, 2]), median([7]), percentile([0, 10], 0.99), percentile([5, 1, 3], 0), spread([10, 10])]).toEqual([
		2.5, 7, 9.9, 1, 0,
	]);
	expect(() => median([])).toThrow("There are no measurements.");
});

test.each([
	["a ratio", ratio(4), true],
	["a ratio", ratio(3.9), false],
	["a distance from the limit", over(15), true],
	["a distance from the limit", over(14.9), false],
	["a largest value", atMost(20), true],
	["a largest value", atMost(19), false],
	["a smallest value", atLeast(20), true],
	["a smallest value", atLeast(21), false],
])("[BN2] a goal is %s (%o: %s)", (_, goal, pass) => {
	expect(row({ ...measured, goal }).pass).toBe(pass);
});

test("[BN2] without a limit nothing can pass a ratio, and without a goal nothing is judged", () => {
	const { limit: _, ...alone } = measured;
	expect(row({ ...alone, goal: ratio(100) })).toMatchObject({ limit: null, ratio: null, pass: false });
	expect(row(alone)).toMatchObject({ goal: null, pass: true });
});

test("[BN3] the short form has wider goals, widest where a time is judged by itself, and zero stays zero", () => {
	const goals = [ratio(2), over(15), atMost(0), atLeast(40)].map((goal) => row({ ...measured, goal, quick: true }).goal?.value);
	expect(goals).toEqual([2 * QUICK_SLACK, 15 * QUICK_TIME_SLACK, 0, 40 / QUICK_TIME_SLACK]);
	expect(row({ ...measured, unit: "MB", goal: atMost(40), quick: true }).goal?.value).toBe(40 * QUICK_SLACK);
});

test("[BN4] the limit and we are measured in turn", async () => {
	const order: string[] = [];
	const measure = (name: string) => () => order.push(name);
	expect(await interleave(2, { limit: measure("limit"), ours: measure("ours") })).toEqual({ limit: [1, 3], ours: [2, 4] });
	expect(order).toEqual(["limit", "ours", "limit", "ours"]);
});

test("[BN5] the table shows ours, limit, ratio, goal, verdict and noise of every row", () => {
	const rows = [row({ ...measured, goal: over(3) }), row({ name: "alone", unit: "MB", ours: [12_345.6], quick: false })];
	expect(textTable(rows).split("\n")).toEqual([
		"benchmark  ours       limit  ratio  goal                    noise",
		"a thing    20 ms      5 ms   4      ≤ limit + 3 ms  MISSED  ±50 %",
		"alone      12,346 MB  –      –      –                       one round",
	]);
	expect(markdownTable(rows).split("\n")[2]).toBe("| a thing | 20 ms | 5 ms | 4 | ≤ limit + 3 ms | MISSED | ±50 % |");
	expect([0, 0.0123, 0.5, 5.25, 12.34, 123.4].map(figure)).toEqual(["0", "0.0123", "0.50", "5.25", "12.3", "123"]);
});

test("[BN21] three thirds together are all benchmarks, each once, with as many long ones in each", () => {
	const names = ["a", "b", "c", "d", "e", "long-1", "long-2", "long-3"];
	const thirds = ([0, 1, 2] as const).map((third) => thirdOf(names, third, ["long-1", "long-2", "long-3"]));
	expect(thirds.flat().sort()).toEqual(names);
	expect(thirds.map((third) => third.filter((name) => name.startsWith("long")).length)).toEqual([1, 1, 1]);
	expect(thirdOf(names, undefined, [])).toEqual(names);
	expect(parseArguments(["--third", "2"])).toMatchObject({ third: 2 });
	expect([parseArguments(["--third"]), parseArguments(["--third", "3"])]).toEqual([undefined, undefined]);
});

test("[BN22] what takes longest is measured first", () => {
	expect(longestFirst(["a", "b", "longer", "longest"], ["longest", "longer"])).toEqual(["longest", "longer", "a", "b"]);
});

test("[BN6] arguments choose form, benchmarks and documentation; anything else is refused", () => {
	expect(parseArguments(["--quick", "--only", "relay,search", "--only", "page", "--docs"])).toEqual({
		...{ quick: true, docs: true, profile: false, only: ["relay", "search", "page"] },
	});
	expect(parseArguments(["--fleet-scale"])).toMatchObject({ fleetScale: true, only: ["fleet-scale"], docs: false });
	expect(parseArguments([])).toEqual({ quick: false, docs: false, profile: false, only: [] });
	expect([parseArguments(["--fast"]), parseArguments(["--only"]), parseArguments(["--only", "--quick"])]).toEqual([
		undefined,
		undefined,
		undefined,
	]);
});
