/** Edits from either end of a stretch before the search for the shortest way through it is given up. */
export const EDIT_BOUND = 2_048;
/** Steps of the search in all: about a second. What is left then is taken as replaced, so that no text, however hostile, holds a process. */
export const STEP_BOUND = 60_000_000;

/** Which of two sequences' items have no partner in the other. */
export interface EditMarks {
	removed: Uint8Array;
	added: Uint8Array;
	/** The bound was met: the marks are right, but there may be fewer. */
	coarse: boolean;
}

/** The shortest edit from `a` to `b` by Myers's search from both ends; where that takes more than `bound` edits, the furthest way found so far is taken. */
export function shortestEdit(a: Int32Array, b: Int32Array, bound: number, steps = STEP_BOUND): EditMarks {
	const marks: EditMarks = { removed: new Uint8Array(a.length), added: new Uint8Array(b.length), coarse: false };
	const search: Search = { a, b, bound, left: steps, fore: frontier(a, b), back: frontier(a, b), shift: b.length + 2 };
	const open: Box[] = [{ x0: 0, y0: 0, x1: a.length, y1: b.length }];
	for (let box = open.pop(); box !== undefined; box = open.pop()) {
		const { x0, y0, x1, y1 } = trimmed(box, a, b);
		if (x0 === x1 || y0 === y1) {
			marks.removed.fill(1, x0, x1);
			marks.added.fill(1, y0, y1);
			continue;
		}
		if (search.left <= 0) {
			marks.coarse = true;
			marks.removed.fill(1, x0, x1);
			marks.added.fill(1, y0, y1);
			continue;
		}
		const { x, y, exact } = meeting({ x0, y0, x1, y1 }, search);
		if (!exact) marks.coarse = true;
		open.push({ x0, y0, x1: x, y1: y }, { x0: x, y0: y, x1, y1 });
	}
	return marks;
}

/** What is still to be compared: `a` from x0 to x1 against `b` from y0 to y1. */
interface Box {
	x0: number;
	y0: number;
	x1: number;
	y1: number;
}

interface Search {
	a: Int32Array;
	b: Int32Array;
	bound: number;
	/** Steps that may still be taken. */
	left: number;
	/** For each diagonal x - y, the furthest x reached from the beginning, and the nearest from the end. */
	fore: Int32Array;
	back: Int32Array;
	/** Added to a diagonal, so that it is an index. */
	shift: number;
}

const frontier = (a: Int32Array, b: Int32Array) => new Int32Array(a.length + b.length + 5);
const UNREACHED = 0x7fff_fff0;

function trimmed({ x0, y0, x1, y1 }: Box, a: Int32Array, b: Int32Array): Box {
	while (x0 < x1 && y0 < y1 && a[x0] === b[y0]) {
		x0++;
		y0++;
	}
	while (x0 < x1 && y0 < y1 && a[x1 - 1] === b[y1 - 1]) {
		x1--;
		y1--;
	}
	return { x0, y0, x1, y1 };
}

/** A point on a shortest way through the box, where the ways from both ends meet. */
function meeting(box: Box, search: Search): { x: number; y: number; exact: boolean } {
	const { fore, back, shift } = search;
	const start = box.x0 - box.y0;
	const end = box.x1 - box.y1;
	const lowest = box.x0 - box.y1;
	const highest = box.x1 - box.y0;
	const oddApart = ((start - end) & 1) !== 0;
	const ahead = { low: start, high: start };
	const behind = { low: end, high: end };
	fore[start + shift] = box.x0;
	back[end + shift] = box.x1;
	for (let edits = 1; ; edits++) {
		widen(ahead, { lowest, highest, line: fore, shift, edge: -1 });
		for (let k = ahead.high; k >= ahead.low; k -= 2) {
			const x = forward(k, box, search);
			fore[k + shift] = x;
			if (oddApart && k >= behind.low && k <= behind.high && x >= (back[k + shift] ?? 0)) return { x, y: x - k, exact: true };
		}
		widen(behind, { lowest, highest, line: back, shift, edge: UNREACHED });
		for (let k = behind.high; k >= behind.low; k -= 2) {
			const x = backward(k, box, search);
			back[k + shift] = x;
			if (!oddApart && k >= ahead.low && k <= ahead.high && x <= (fore[k + shift] ?? 0)) return { x, y: x - k, exact: true };
		}
		search.left -= ahead.high - ahead.low + behind.high - behind.low + 2;
		if (edits >= search.bound || search.left <= 0) return { ...furthest(box, search, ahead, behind), exact: false };
	}
}

/** One more diagonal on each side, or one fewer where the box ends; the values beyond them are never chosen. */
function widen(
	range: { low: number; high: number },
	at: { lowest: number; highest: number; line: Int32Array; shift: number; edge: number },
): void {
	if (range.low > at.lowest) at.line[--range.low - 1 + at.shift] = at.edge;
	else range.low++;
	if (range.high < at.highest) at.line[++range.high + 1 + at.shift] = at.edge;
	else range.high--;
}

function forward(k: number, { x1, y1 }: Box, { a, b, fore, shift }: Search): number {
	const fromLeft = fore[k - 1 + shift] ?? 0;
	const fromAbove = fore[k + 1 + shift] ?? 0;
	let x = fromLeft >= fromAbove ? fromLeft + 1 : fromAbove;
	let y = x - k;
	while (x < x1 && y < y1 && a[x] === b[y]) {
		x++;
		y++;
	}
	return x;
}

function backward(k: number, { x0, y0 }: Box, { a, b, back, shift }: Search): number {
	const fromBelow = back[k - 1 + shift] ?? 0;
	const fromRight = back[k + 1 + shift] ?? 0;
	let x = fromBelow < fromRight ? fromBelow : fromRight - 1;
	let y = x - k;
	while (x > x0 && y > y0 && a[x - 1] === b[y - 1]) {
		x--;
		y--;
	}
	return x;
}

/** Where the search got to when it was given up: the point that leaves least of the box on its own side. */
function furthest(
	{ x0, y0, x1, y1 }: Box,
	{ fore, back, shift }: Search,
	ahead: { low: number; high: number },
	behind: { low: number; high: number },
): { x: number; y: number } {
	let best = { x: x0, y: y0, gain: -1 };
	for (let k = ahead.low; k <= ahead.high; k += 2) {
		const x = Math.min(fore[k + shift] ?? 0, x1, y1 + k);
		const gain = x - x0 + (x - k - y0);
		if (x >= x0 && x - k >= y0 && gain > best.gain) best = { x, y: x - k, gain };
	}
	for (let k = behind.low; k <= behind.high; k += 2) {
		const x = Math.max(back[k + shift] ?? 0, x0, y0 + k);
		const gain = x1 - x + (y1 - (x - k));
		if (x <= x1 && x - k <= y1 && gain > best.gain) best = { x, y: x - k, gain };
	}
	return best;
}
