import type { Hunk, HunkLine } from "./hunk.ts";

export type DiffStyle = "unified" | "split";

/** One row of the table: the head of a hunk, a line, or two lines side by side. */
export type DiffRow =
	| { readonly kind: "hunk"; readonly hunk: Hunk }
	| { readonly kind: "line"; readonly hunk: Hunk; readonly line: HunkLine; readonly mate: HunkLine | undefined }
	| { readonly kind: "pair"; readonly hunk: Hunk; readonly left: HunkLine | undefined; readonly right: HunkLine | undefined };

/** The rows of a file's hunks, at most `limit` lines of them; `total` counts all lines. */
export function diffRows(hunks: readonly Hunk[], style: DiffStyle, limit: number): { rows: DiffRow[]; total: number } {
	const rows: DiffRow[] = [];
	const total = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
	let left = limit;
	for (const hunk of hunks) {
		if (left <= 0) break;
		const lines = hunk.lines.length <= left ? hunk.lines : hunk.lines.slice(0, left);
		left -= lines.length;
		rows.push({ kind: "hunk", hunk });
		for (const run of runs(lines)) rows.push(...(style === "unified" ? unified(hunk, run) : split(hunk, run)));
	}
	return { rows, total };
}

/** Unchanged lines, or lines that were taken out with those that took their place. */
interface Run {
	same: readonly HunkLine[];
	removed: readonly HunkLine[];
	added: readonly HunkLine[];
}

function runs(lines: readonly HunkLine[]): Run[] {
	const found: Run[] = [];
	let at = 0;
	const take = (kind: HunkLine["kind"]) => {
		const from = at;
		while (lines[at]?.kind === kind) at += 1;
		return lines.slice(from, at);
	};
	while (at < lines.length) found.push({ same: take(" "), removed: take("-"), added: take("+") });
	return found;
}

function unified(hunk: Hunk, { same, removed, added }: Run): DiffRow[] {
	const row = (line: HunkLine, mate: HunkLine | undefined): DiffRow => ({ kind: "line", hunk, line, mate });
	return [
		...same.map((line) => row(line, undefined)),
		...removed.map((line, index) => row(line, added[index])),
		...added.map((line, index) => row(line, removed[index])),
	];
}

function split(hunk: Hunk, { same, removed, added }: Run): DiffRow[] {
	const pairs = Array.from({ length: Math.max(removed.length, added.length) }, (_, index) => index);
	return [
		...same.map((line): DiffRow => ({ kind: "pair", hunk, left: line, right: line })),
		...pairs.map((index): DiffRow => ({ kind: "pair", hunk, left: removed[index], right: added[index] })),
	];
}
