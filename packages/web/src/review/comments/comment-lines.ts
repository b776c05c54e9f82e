import type { DrawnDiff } from "../diff/draw-diff.ts";
import { linesOf } from "../diff/draw-diff.ts";
import { type Hunk, type HunkLine, numberOf, type Side, sideOf } from "../diff/hunk.ts";

/** The lines of one side that a comment is about. */
export interface LineRange {
	side: Side;
	from: number;
	to: number;
}

/** The lines from one row to another, on the side of the last; undefined where there are none. */
export function rangeOf(drawn: DrawnDiff, from: number, to: number): LineRange | undefined {
	const last = lineAt(drawn, to);
	if (last === undefined) return undefined;
	const side = sideOf(last);
	const numbers = drawn.rows
		.slice(Math.min(from, to), Math.max(from, to) + 1)
		.flatMap(linesOf)
		.filter((line) => isOn(line, side))
		.map((line) => (side === "old" ? line.oldNumber : line.newNumber) ?? numberOf(line));
	return { side, from: Math.min(...numbers), to: Math.max(...numbers) };
}

/** What stands in these lines, as far as the hunks show them. */
export function snippetOf(hunks: readonly Hunk[], { side, from, to }: LineRange): string {
	const inside = (line: HunkLine) => {
		const number = (side === "old" ? line.oldNumber : line.newNumber) ?? 0;
		return isOn(line, side) && number >= from && number <= to;
	};
	return hunks.flatMap(({ lines }) => lines.filter(inside).map(({ text }) => text)).join("\n");
}

const isOn = ({ kind }: HunkLine, side: Side) => kind !== (side === "old" ? "+" : "-");

function lineAt(drawn: DrawnDiff, at: number): HunkLine | undefined {
	const row = drawn.rows[at];
	return row === undefined ? undefined : linesOf(row).at(-1);
}
