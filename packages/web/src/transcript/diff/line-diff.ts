import { compareLines } from "@rightseat/protocol/diff/line-changes";

export interface DiffLine {
	kind: "same" | "added" | "removed" | "gap";
	text: string;
}
export interface LineDiff {
	lines: DiffLine[];
	/** False when the texts differ too much for the shortest diff: more is shown as changed than had to be. */
	compared: boolean;
}

/** More edits within one stretch than this take too long on the thread that draws the page: the work grows with their square. */
export const MAX_EDITS = 512;
const CONTEXT_LINES = 3;

/** What changed between two texts, line by line, with a little of what stayed around it. */
export function diffLines(before: string, after: string): LineDiff {
	const old = linesOf(before);
	const next = linesOf(after);
	const { changes, coarse } = compareLines(old, next, { bound: MAX_EDITS });
	const lines: DiffLine[] = [];
	let at = 0;
	for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
		lines.push(
			...around(old, at, oldStart, { isFirst: at === 0 }),
			...marked(old.slice(oldStart, oldEnd), "removed"),
			...marked(next.slice(newStart, newEnd), "added"),
		);
		at = oldEnd;
	}
	if (changes.length > 0) lines.push(...around(old, at, old.length, { isFirst: false, isLast: true }));
	return { lines, compared: !coarse };
}

function linesOf(text: string): string[] {
	return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

const marked = (lines: readonly string[], kind: DiffLine["kind"]): DiffLine[] => lines.map((text) => ({ kind, text }));

/** What stayed between two changes; a long stretch becomes one gap. */
function around(
	lines: readonly string[],
	from: number,
	to: number,
	{ isFirst, isLast = false }: { isFirst: boolean; isLast?: boolean },
): DiffLine[] {
	const before = isFirst ? 0 : CONTEXT_LINES;
	const after = isLast ? 0 : CONTEXT_LINES;
	if (to - from <= before + after) return marked(lines.slice(from, to), "same");
	return [...marked(lines.slice(from, from + before), "same"), { kind: "gap", text: "" }, ...marked(lines.slice(to - after, to), "same")];
}
