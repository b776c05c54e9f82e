import { compareLines, type LineChange, splitLines } from "@rightseat/protocol/diff/line-changes";

export type Merged = { readonly clean: true; readonly text: string } | { readonly clean: false };

/** Both edits of the same base in one text. Edits that overlap or touch are a conflict, unless they are the same; nothing is ever guessed. */
export function mergeLines({ base, ours, theirs }: { base: string; ours: string; theirs: string }): Merged {
	const lines = { base: splitLines(base), ours: splitLines(ours), theirs: splitLines(theirs) };
	const mine = compareLines(lines.base, lines.ours).changes;
	const other = compareLines(lines.base, lines.theirs).changes;
	const out: string[] = [];
	let at = 0;
	let [x, y] = [0, 0];
	const take = (change: LineChange, from: readonly string[]) => {
		out.push(...lines.base.slice(at, change.oldStart), ...from.slice(change.newStart, change.newEnd));
		at = change.oldEnd;
	};
	while (x < mine.length || y < other.length) {
		const own = mine[x];
		const its = other[y];
		if (own !== undefined && (its === undefined || own.oldEnd < its.oldStart)) {
			take(own, lines.ours);
			x++;
		} else if (its !== undefined && (own === undefined || its.oldEnd < own.oldStart)) {
			take(its, lines.theirs);
			y++;
		} else if (own !== undefined && its !== undefined && isSameEdit(own, its, lines)) {
			take(own, lines.ours);
			x++;
			y++;
		} else return { clean: false };
	}
	out.push(...lines.base.slice(at));
	// A line without its line feed that is no longer the last would run into the next one.
	if (out.slice(0, -1).some((line) => !line.endsWith("\n"))) return { clean: false };
	return { clean: true, text: out.join("") };
}

function isSameEdit(own: LineChange, its: LineChange, { ours, theirs }: { ours: readonly string[]; theirs: readonly string[] }): boolean {
	if (own.oldStart !== its.oldStart || own.oldEnd !== its.oldEnd || own.newEnd - own.newStart !== its.newEnd - its.newStart) return false;
	for (let at = 0; at < own.newEnd - own.newStart; at++) if (ours[own.newStart + at] !== theirs[its.newStart + at]) return false;
	return true;
}
