import { type LineChange, splitLines } from "./line-changes.ts";

/** The text before with only these of its changes made; they are in order and of the same two texts. */
export function applyChanges(before: string, after: string, changes: readonly LineChange[]): string {
	const [old, next] = [splitLines(before), splitLines(after)];
	const made: string[] = [];
	let at = 0;
	for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
		made.push(...old.slice(at, oldStart), ...next.slice(newStart, newEnd));
		at = oldEnd;
	}
	return [...made, ...old.slice(at)].join("");
}
