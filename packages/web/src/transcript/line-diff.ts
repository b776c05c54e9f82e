export interface DiffLine {
	kind: "same" | "added" | "removed" | "gap";
	text: string;
}

/** Longer pieces are shown as all removed, all added: comparing them line by line costs the square of their length. */
const MAX_COMPARED_LINES = 600;
const CONTEXT_LINES = 3;

/** What changed between two texts, line by line, with a little of what stayed around it. */
export function diffLines(before: string, after: string): DiffLine[] {
	const a = before === "" ? [] : before.replace(/\n$/, "").split("\n");
	const b = after === "" ? [] : after.replace(/\n$/, "").split("\n");
	let head = 0;
	while (head < a.length && head < b.length && a[head] === b[head]) head++;
	let tail = 0;
	while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
	const middle = compare(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
	const same = (lines: string[]): DiffLine[] => lines.map((text) => ({ kind: "same", text }));
	return folded([...same(a.slice(0, head)), ...middle, ...same(a.slice(a.length - tail))]);
}

function compare(a: string[], b: string[]): DiffLine[] {
	const removed = (text: string): DiffLine => ({ kind: "removed", text });
	const added = (text: string): DiffLine => ({ kind: "added", text });
	if (a.length > MAX_COMPARED_LINES || b.length > MAX_COMPARED_LINES) return [...a.map(removed), ...b.map(added)];
	const width = b.length + 1;
	const common = new Uint16Array((a.length + 1) * width);
	for (let i = a.length - 1; i >= 0; i--) {
		for (let j = b.length - 1; j >= 0; j--) {
			const at = i * width + j;
			common[at] = a[i] === b[j] ? 1 + (common[at + width + 1] ?? 0) : Math.max(common[at + width] ?? 0, common[at + 1] ?? 0);
		}
	}
	const lines: DiffLine[] = [];
	let i = 0;
	let j = 0;
	while (i < a.length || j < b.length) {
		const left = a[i];
		const right = b[j];
		if (left !== undefined && left === right) {
			lines.push({ kind: "same", text: left });
			i++;
			j++;
		} else if (left !== undefined && (right === undefined || (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))) {
			lines.push(removed(left));
			i++;
		} else if (right !== undefined) {
			lines.push(added(right));
			j++;
		}
	}
	return lines;
}

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
