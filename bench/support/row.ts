import { median, spread } from "./statistics.ts";

/**
 * What is good enough. `ratio`: ours / limit at most. `over`: ours minus limit at most, in the row's unit. `at-most` and `at-least`:
 * ours itself, for promises about a size or a time that no limit explains.
 */
export interface Goal {
	kind: "ratio" | "over" | "at-most" | "at-least";
	value: number;
}

/** What one measurement found, beside a limit measured in the same run on the same machine. */
export interface Row {
	name: string;
	unit: string;
	ours: number;
	/** The best anyone could do here: the same without us. Null where nothing of the kind exists. */
	limit: number | null;
	/** ours / limit. */
	ratio: number | null;
	/** Null: shown to be read, not judged. */
	goal: Goal | null;
	pass: boolean;
	/** Half of the distance between the largest and the smallest of our rounds, over their median: how far to trust the row. */
	noise: number;
	rounds: number;
}

export interface RowInput {
	name: string;
	unit: string;
	/** One value per round. */
	ours: readonly number[];
	limit?: readonly number[];
	goal?: Goal;
	/** The short form only looks for large regressions: its goals are wider. */
	quick: boolean;
}

/** How many times wider a goal of the short form is. */
export const QUICK_SLACK = 4;
/** The same where the goal is a time or a rate by itself: nothing measured beside it grows when others keep the machine busy. */
export const QUICK_TIME_SLACK = 10;

/** A row from repeated measurements; the medians count. */
export function row(input: RowInput): Row {
	const ours = median(input.ours);
	const limit = input.limit === undefined ? null : median(input.limit);
	const goal = input.goal === undefined ? null : input.quick ? widen(input.goal, input.unit) : input.goal;
	return {
		name: input.name,
		unit: input.unit,
		ours,
		limit,
		ratio: limit === null || limit === 0 ? null : ours / limit,
		goal,
		pass: goal === null || meets(goal, ours, limit),
		noise: spread(input.ours),
		rounds: input.ours.length,
	};
}

export const ratio = (value: number): Goal => ({ kind: "ratio", value });
export const over = (value: number): Goal => ({ kind: "over", value });
export const atMost = (value: number): Goal => ({ kind: "at-most", value });
export const atLeast = (value: number): Goal => ({ kind: "at-least", value });

function widen({ kind, value }: Goal, unit: string): Goal {
	const slack = kind !== "ratio" && ["ms", "/s"].includes(unit) ? QUICK_TIME_SLACK : QUICK_SLACK;
	return { kind, value: kind === "at-least" ? value / slack : value * slack };
}

function meets(goal: Goal, ours: number, limit: number | null): boolean {
	switch (goal.kind) {
		case "at-most":
			return ours <= goal.value;
		case "at-least":
			return ours >= goal.value;
		case "over":
			return limit !== null && ours - limit <= goal.value;
		case "ratio":
			return limit !== null && ours <= goal.value * limit;
	}
}
