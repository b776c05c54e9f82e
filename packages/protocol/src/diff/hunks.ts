import { compareLines, type LineChange, splitLines } from "./line-changes.ts";

/** A line of a hunk, without its line feed; numbers count from 1. */
export interface HunkLine {
	kind: " " | "+" | "-";
	text: string;
	oldNumber?: number;
	newNumber?: number;
	/** The file ends here without a line feed. */
	noNewline?: true;
}

/** Changes that lie near each other, with a little of what stayed around them. Where a side has no lines its start is the line before, as in a unified diff. */
export interface Hunk {
	/** The same for the same hunk of the same two texts, and hardly ever for another. */
	id: string;
	oldStart: number;
	oldLines: number;
	newStart: number;
	newLines: number;
	lines: HunkLine[];
	/** What is replaced in it, in lines of the whole texts counted from 0. */
	changes: readonly LineChange[];
}

export interface TextDiff {
	hunks: Hunk[];
	added: number;
	removed: number;
	/** See `LineChanges`. */
	coarse: boolean;
}

export interface HunkOptions {
	/** Lines shown around a change. */
	context?: number;
	/** Lines that differ only in blanks count as the same. */
	ignoreWhitespace?: boolean;
	bound?: number;
}

const CONTEXT_LINES = 3;

/** What changed between two texts, as hunks. A character is what the caller says it is: text and bytes read as latin1 are compared alike. */
export function diffText(before: string, after: string, options: HunkOptions = {}): TextDiff {
	const sides = { old: splitLines(before), next: splitLines(after) };
	const { changes, coarse } = compareLines(sides.old, sides.next, {
		...(options.ignoreWhitespace === true ? { key: withoutBlanks } : {}),
		...(options.bound === undefined ? {} : { bound: options.bound }),
	});
	const count = (of: (change: LineChange) => number) => changes.reduce((sum, change) => sum + of(change), 0);
	return {
		hunks: groups(changes, options.context ?? CONTEXT_LINES).map((group) => hunkOf(group, sides, options.context ?? CONTEXT_LINES)),
		added: count((change) => change.newEnd - change.newStart),
		removed: count((change) => change.oldEnd - change.oldStart),
		coarse,
	};
}

/** The blanks of ASCII only: in bytes read as latin1 others are parts of letters. */
const withoutBlanks = (line: string) => line.replace(/[ \t\r\n\f\v]+/g, "");

/** Changes whose surroundings meet are shown together. */
function groups(changes: readonly LineChange[], context: number): LineChange[][] {
	const grouped: LineChange[][] = [];
	for (const change of changes) {
		const group = grouped.at(-1);
		const last = group?.at(-1);
		if (group !== undefined && last !== undefined && change.oldStart - last.oldEnd <= 2 * context) group.push(change);
		else grouped.push([change]);
	}
	return grouped;
}

interface Sides {
	old: readonly string[];
	next: readonly string[];
}

function hunkOf(group: readonly LineChange[], { old, next }: Sides, context: number): Hunk {
	const first = group[0] ?? { oldStart: 0, newStart: 0 };
	const last = group.at(-1) ?? { oldEnd: 0, newEnd: 0 };
	const lead = Math.min(context, first.oldStart, first.newStart);
	const trail = Math.min(context, old.length - last.oldEnd, next.length - last.newEnd);
	const from = { old: first.oldStart - lead, next: first.newStart - lead };
	const oldLines = last.oldEnd + trail - from.old;
	const newLines = last.newEnd + trail - from.next;
	const lines = hunkLines(group, { old, next }, { ...from, trail });
	return {
		id: idOf(from.old, from.next, lines),
		oldStart: oldLines === 0 ? from.old : from.old + 1,
		oldLines,
		newStart: newLines === 0 ? from.next : from.next + 1,
		newLines,
		lines,
		changes: group,
	};
}

function hunkLines(group: readonly LineChange[], { old, next }: Sides, from: { old: number; next: number; trail: number }): HunkLine[] {
	const lines: HunkLine[] = [];
	let x = from.old;
	let y = from.next;
	const same = (count: number) => {
		for (let at = 0; at < count; at++) lines.push({ kind: " ", ...textOf(next[y]), oldNumber: ++x, newNumber: ++y });
	};
	for (const change of group) {
		same(change.oldStart - x);
		while (x < change.oldEnd) lines.push({ kind: "-", ...textOf(old[x]), oldNumber: ++x });
		while (y < change.newEnd) lines.push({ kind: "+", ...textOf(next[y]), newNumber: ++y });
	}
	same(from.trail);
	return lines;
}

function textOf(line = ""): { text: string; noNewline?: true } {
	return line.endsWith("\n") ? { text: line.slice(0, -1) } : { text: line, noNewline: true };
}

/** FNV-1a over what the hunk says and where: not against an enemy, only against a file that has moved on. */
function idOf(oldFrom: number, newFrom: number, lines: readonly HunkLine[]): string {
	let hash = 0x811c9dc5;
	const add = (text: string) => {
		for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
	};
	for (const line of lines) add(`${line.kind}${line.text}${line.noNewline === true ? "" : "\n"}`);
	return `${oldFrom}-${newFrom}-${(hash >>> 0).toString(36)}`;
}
