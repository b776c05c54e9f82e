import { EDIT_BOUND, shortestEdit } from "./shortest-edit.ts";

/** A stretch that was replaced: lines `oldStart` up to `oldEnd` of the old text by `newStart` up to `newEnd` of the new one, counted from 0. */
export interface LineChange {
	oldStart: number;
	oldEnd: number;
	newStart: number;
	newEnd: number;
}

export interface LineChanges {
	/** In order; between two of them at least one line stayed. */
	changes: readonly LineChange[];
	/** The texts differ too much for the shortest answer: this one is right, but longer. */
	coarse: boolean;
}

export interface CompareOptions {
	/** What two lines must share to count as the same; the whole line unless told. */
	key?: (line: string) => string;
	/** Edits within one stretch before the search for the shortest way is given up. */
	bound?: number;
}

/** The lines of a text, each with the line feed that ends it; only the last may have none. */
export function splitLines(text: string): string[] {
	return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** What changed between two lists of lines. Takes bounded time whatever they hold. */
export function compareLines(before: readonly string[], after: readonly string[], options: CompareOptions = {}): LineChanges {
	const { old, next } = numbered(before, after, options.key);
	let head = 0;
	while (head < old.length && head < next.length && old[head] === next[head]) head++;
	let tail = 0;
	while (tail < old.length - head && tail < next.length - head && old[old.length - 1 - tail] === next[next.length - 1 - tail]) tail++;
	const removed = new Uint8Array(old.length);
	const added = new Uint8Array(next.length);
	const oldPart = withPartner(old, next, { head, tail, marks: removed });
	const newPart = withPartner(next, old, { head, tail, marks: added });
	const marks = shortestEdit(oldPart.ids, newPart.ids, options.bound ?? EDIT_BOUND);
	for (let at = 0; at < oldPart.places.length; at++) if (marks.removed[at] === 1) removed[oldPart.places[at] ?? 0] = 1;
	for (let at = 0; at < newPart.places.length; at++) if (marks.added[at] === 1) added[newPart.places[at] ?? 0] = 1;
	return { changes: settled(stretches(removed, added), old, next), coarse: marks.coarse };
}

/** A number for each different line, the same on both sides. */
function numbered(before: readonly string[], after: readonly string[], key: (line: string) => string = (line) => line) {
	const numbers = new Map<string, number>();
	const number = (line: string) => {
		const text = key(line);
		const known = numbers.get(text);
		if (known !== undefined) return known;
		numbers.set(text, numbers.size);
		return numbers.size - 1;
	};
	return { old: Int32Array.from(before, number), next: Int32Array.from(after, number) };
}

/** The middle without the lines that the other side's middle has not: they are changed in any case, and without them the search is short. */
function withPartner(mine: Int32Array, other: Int32Array, { head, tail, marks }: { head: number; tail: number; marks: Uint8Array }) {
	const there = new Set(other.subarray(head, other.length - tail));
	const places: number[] = [];
	for (let at = head; at < mine.length - tail; at++) {
		if (there.has(mine[at] ?? -1)) places.push(at);
		else marks[at] = 1;
	}
	return { places, ids: Int32Array.from(places, (at) => mine[at] ?? -1) };
}

function stretches(removed: Uint8Array, added: Uint8Array): LineChange[] {
	const changes: LineChange[] = [];
	let x = 0;
	let y = 0;
	while (x < removed.length || y < added.length) {
		if (removed[x] !== 1 && added[y] !== 1) {
			x++;
			y++;
			continue;
		}
		const change = { oldStart: x, oldEnd: x, newStart: y, newEnd: y };
		while (removed[x] === 1) x++;
		while (added[y] === 1) y++;
		changes.push({ ...change, oldEnd: x, newEnd: y });
	}
	return changes;
}

/** Lines that only came or only went may often be counted a few lines higher or lower: as low as they can, and joined with the change they meet. */
function settled(changes: readonly LineChange[], old: Int32Array, next: Int32Array): LineChange[] {
	const kept: LineChange[] = [];
	for (const [at, change] of changes.entries()) {
		let moved = { ...change };
		const last = kept.at(-1);
		slide(moved, old, next, { by: -1, until: last });
		if (last !== undefined && last.oldEnd === moved.oldStart && last.newEnd === moved.newStart) {
			kept.pop();
			moved = { ...last, oldEnd: moved.oldEnd, newEnd: moved.newEnd };
		}
		slide(moved, old, next, { by: 1, until: changes[at + 1] });
		kept.push(moved);
	}
	return joined(kept);
}

function slide(change: LineChange, old: Int32Array, next: Int32Array, { by, until }: { by: 1 | -1; until: LineChange | undefined }): void {
	const onlyAdded = change.oldStart === change.oldEnd;
	if (!onlyAdded && change.newStart !== change.newEnd) return;
	const lines = onlyAdded ? next : old;
	const from = onlyAdded ? "newStart" : "oldStart";
	const to = onlyAdded ? "newEnd" : "oldEnd";
	const limit = by === 1 ? (until?.[from] ?? lines.length) : (until?.[to] ?? 0);
	while (
		by === 1
			? change[to] < limit && lines[change[to]] === lines[change[from]]
			: change[from] > limit && lines[change[from] - 1] === lines[change[to] - 1]
	) {
		change.oldStart += by;
		change.oldEnd += by;
		change.newStart += by;
		change.newEnd += by;
	}
}

function joined(changes: readonly LineChange[]): LineChange[] {
	const apart: LineChange[] = [];
	for (const change of changes) {
		const last = apart.at(-1);
		if (last !== undefined && last.oldEnd === change.oldStart && last.newEnd === change.newStart) {
			last.oldEnd = change.oldEnd;
			last.newEnd = change.newEnd;
		} else apart.push({ ...change });
	}
	return apart;
}
