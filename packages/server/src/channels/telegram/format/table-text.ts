import type { Token } from "markdown-it";

/** A column is filled up to this width; beyond it one long cell would multiply by the number of rows. */
const MAX_FILLED_WIDTH = 120;

/** A Markdown table as aligned plain text, for a `pre` block. */
export function tableText(tokens: Token[]): string {
	const rows: string[][] = [];
	for (const token of tokens) {
		if (token.type === "tr_open") rows.push([]);
		if (token.type === "inline") rows.at(-1)?.push(cellText(token));
	}
	const widths: number[] = [];
	for (const row of rows)
		for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, Math.min(MAX_FILLED_WIDTH, widthOf(cell)));
	const lines = rows.map((row) =>
		row
			.map((cell, column) => cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell))))
			.join(" | ")
			.trimEnd(),
	);
	const rule = widths.map((width) => "-".repeat(Math.max(1, width))).join("-+-");
	return [lines[0] ?? "", rule, ...lines.slice(1)].join("\n");
}

function cellText(token: Token): string {
	return (token.children ?? []).map((child) => child.content).join("");
}

/** Columns a text takes in a monospaced font; East Asian characters and emoji take two. */
function widthOf(text: string): number {
	let width = 0;
	for (const character of text)
		width += /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\u{1F300}-\u{1FAFF}]/u.test(character) ? 2 : 1;
	return width;
}
