import type { Goal, Row } from "./row.ts";

const HEADINGS = ["benchmark", "ours", "limit", "ratio", "goal", "", "noise"];

/** The rows as columns for a terminal. */
export function textTable(rows: readonly Row[]): string {
	const lines = [HEADINGS, ...rows.map(cells)];
	const widths = HEADINGS.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
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
