import { compareLines } from "@rightseat/protocol/diff/line-changes";

/**
 * Where lines `from`..`to` (from 1) of one text stand in a later one; undefined when any of them was changed or taken out,
 * or when something was put between them.
 */
export function mapLines(before: string, after: string, lines: { from: number; to: number }): { from: number; to: number } | undefined {
	const { changes } = compareLines(before.split("\n"), after.split("\n"));
	const [first, end] = [lines.from - 1, lines.to];
	let moved = 0;
	for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
		if (oldStart >= end) break;
		const touches = oldStart === oldEnd ? oldStart > first : oldEnd > first;
		if (touches) return undefined;
		moved += newEnd - newStart - (oldEnd - oldStart);
	}
	return { from: lines.from + moved, to: lines.to + moved };
}
