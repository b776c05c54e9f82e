import type { Profile } from "./benchmark.ts";
import type { Goal, Row } from "./row.ts";

const HEADINGS = ["benchmark", "ours", "limit", "ratio", "goal", "", "noise"];

/** The rows as columns for a terminal. */
export function textTable(rows: readonly Row[]): string {
	return inColumns([HEADINGS, ...rows.map(cells)]);
}

/** Where the time goes, as columns for a terminal. */
export const profileText = (profile: Profile) => inColumns(profileCells(profile));

export function profileMarkdown(profile: Profile): string {
	const [headings = [], ...lines] = profileCells(profile);
	return [headings, ["---", "---:", "---:"], ...lines].map((line) => `| ${line.join(" | ")} |`).join("\n");
}

/** What is less than this is told together. */
const SMALL_SHARE = 0.01;

function profileCells({ title, unit, lines }: Profile): string[][] {
	const whole = sumOf(lines);
	const isSmall = ({ value }: Profile["lines"][number]) => value < SMALL_SHARE * whole;
	const small = lines.filter(isSmall);
	const shown = [
		...lines.filter((line) => !isSmall(line)),
		...(small.length === 0 ? [] : [{ what: "smaller parts", value: sumOf(small) }]),
	];
	const parts = shown.map(({ what, value }) => [what, figure(value), `${((100 * value) / whole).toFixed(1)} %`]);
	return [[title, unit, "share"], ...parts, ["together", figure(whole), ""]];
}

const sumOf = (lines: Profile["lines"]) => lines.reduce((sum, { value }) => sum + value, 0);

function inColumns(lines: readonly (readonly string[])[]): string {
	const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
	return lines
		.map((line) =>
			line
				.map((cell, column) => cell.padEnd(widths[column] ?? 0))
				.join("  ")
				.trimEnd(),
		)
		.join("\n");
}

export function markdownTable(rows: readonly Row[]): string {
	const line = (cellsOfLine: readonly string[]) => `| ${cellsOfLine.join(" | ")} |`;
	return [line(HEADINGS), line(HEADINGS.map(() => "---")), ...rows.map((row) => line(cells(row)))].join("\n");
}

function cells(row: Row): string[] {
	return [
		row.name,
		`${figure(row.ours)} ${row.unit}`,
		row.limit === null ? "–" : `${figure(row.limit)} ${row.unit}`,
		row.ratio === null ? "–" : figure(row.ratio),
		row.goal === null ? "–" : goalText(row.goal, row.unit),
		row.goal === null ? "" : row.pass ? "ok" : "MISSED",
		row.rounds === 1 ? "one round" : `±${Math.round(row.noise * 100)} %`,
	];
}

function goalText({ kind, value }: Goal, unit: string): string {
	switch (kind) {
		case "ratio":
			return `≤ ${figure(value)} ×`;
		case "over":
			return `≤ limit + ${figure(value)} ${unit}`;
		case "at-most":
			return `≤ ${figure(value)} ${unit}`;
		case "at-least":
			return `≥ ${figure(value)} ${unit}`;
	}
}

/** Three digits that matter, without an exponent. */
export function figure(value: number): string {
	if (value === 0 || Number.isInteger(value)) return value.toLocaleString("en-US");
	const size = Math.abs(value);
	if (size >= 1_000) return Math.round(value).toLocaleString("en-US");
	return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 4);
}
