import { diffArrays } from "diff";

export interface DiffLine {
	kind: "same" | "added" | "removed" | "gap";
	text: string;
}
export interface LineDiff {
	lines: DiffLine[];
	/** False when the texts differ too much to be compared: everything between the first and the last change is shown as replaced. */
	compared: boolean;
}

/** More edits than this take too long on the thread that draws the page: the work grows with their square. */
export const MAX_EDITS = 1_000;
const CONTEXT_LINES = 3;

/** What changed between two texts, line by line, with a little of what stayed around it. */
export function diffLines(before: string, after: string): LineDiff {
	const a = linesOf(before);
	const b = linesOf(after);
	let head = 0;
	while (head < a.length && head < b.length && a[head] === b[head]) head++;
	let tail = 0;
	while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
	const removed = a.slice(head, a.length - tail);
	const added = b.slice(head, b.length - tail);
	// Where one side has nothing there is nothing to compare, however long the other is.
	const changes = removed.length === 0 || added.length === 0 ? undefined : diffArrays(removed, added, { maxEditLength: MAX_EDITS });
	const middle = changes?.flatMap(({ value, added: isNew, removed: isOld }) => marked(value, isNew ? "added" : isOld ? "removed" : "same"));
	const lines = folded([
		...marked(a.slice(0, head), "same"),
		...(middle ?? [...marked(removed, "removed"), ...marked(added, "added")]),
		...marked(a.slice(a.length - tail), "same"),
	]);
	return { lines, compared: middle !== undefined || removed.length === 0 || added.length === 0 };
}

function linesOf(text: string): string[] {
	return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

const marked = (lines: readonly string[], kind: DiffLine["kind"]): DiffLine[] => lines.map((text) => ({ kind, text }));

/** Long unchanged stretches become one gap. */
function folded(lines: DiffLine[]): DiffLine[] {
	const near = new Uint8Array(lines.length);
	lines.forEach((line, index) => {
		if (line.kind === "same") return;
		for (let at = index - CONTEXT_LINES; at <= index + CONTEXT_LINES; at++) if (at >= 0 && at < near.length) near[at] = 1;
	});
	const kept: DiffLine[] = [];
	lines.forEach((line, index) => {
		if (near[index] === 1) kept.push(line);
		else if (kept.at(-1)?.kind !== "gap") kept.push({ kind: "gap", text: "" });
	});
	return kept.length === 1 && kept[0]?.kind === "gap" ? [] : kept;
}
