import type { CodeLine } from "../../markdown/highlight-port.ts";
import type { DiffRow } from "./diff-rows.ts";
import { type HunkLine, numberOf, type Side, sideOf } from "./hunk.ts";
import { linePieces } from "./line-pieces.ts";
import { type Marks, wordMarks } from "./word-diff.ts";

/** Rows of one body of the table: what is coloured together when it comes into sight. */
const BLOCK_ROWS = 150;
/** Blocks this near to the window are coloured already. */
const NEAR = "600px";
/** Of a longer line the beginning is shown, with how much is missing. */
export const MAX_LINE_CHARS = 2_000;

export interface DiffWords {
	added: string;
	removed: string;
	unchanged: string;
	/** The head of a hunk. */
	hunk(hunk: Extract<DiffRow, { kind: "hunk" }>["hunk"]): string;
	/** Undefined: it has no button. */
	undoHunk: string | undefined;
	noNewline: string;
	moreChars(count: number): string;
}

/** A table that was filled; plain DOM, because ten thousand rows as components take several times as long. */
export interface DrawnDiff {
	readonly rows: readonly DiffRow[];
	element(at: number): HTMLTableRowElement | undefined;
	/** The row that holds this element. */
	at(element: Element | null): number | undefined;
	/** The row of a line of one side. */
	find(side: Side, number: number): number | undefined;
	close(): void;
}

export interface DrawOptions {
	rows: readonly DiffRow[];
	words: DiffWords;
	/** Undefined: stays plain. */
	highlight(code: string): Promise<readonly CodeLine[] | undefined>;
}

interface Cell {
	box: HTMLTableCellElement;
	line: HunkLine;
	mate: HunkLine | undefined;
}

export function drawDiff(table: HTMLTableElement, { rows, words, highlight }: DrawOptions): DrawnDiff {
	const width = String(rows.reduce((most, row) => Math.max(most, ...numbersOf(row)), 0)).length;
	const draft: Draft = { words, width, crlf: allCrlf(rows) };
	table.setAttribute("role", "table");
	table.style.setProperty("--digits", String(width));
	const places = new Map<Element, number>();
	const elements: HTMLTableRowElement[] = [];
	const blocks = new Map<Element, Cell[]>();
	for (let from = 0; from < rows.length; from += BLOCK_ROWS) {
		const body = make("tbody", "rowgroup");
		body.style.setProperty("--rows", String(Math.min(BLOCK_ROWS, rows.length - from)));
		const cells: Cell[] = [];
		for (const row of rows.slice(from, from + BLOCK_ROWS)) {
			const element = drawRow(row, draft, cells);
			places.set(element, elements.push(element) - 1);
			body.append(element);
		}
		blocks.set(body, cells);
	}
	table.append(...blocks.keys());
	const observer = new IntersectionObserver(
		(entries) => {
			for (const { isIntersecting, target } of entries) {
				if (!isIntersecting) continue;
				observer.unobserve(target);
				void refine(blocks.get(target) ?? [], draft, highlight);
			}
		},
		{ rootMargin: NEAR },
	);
	for (const body of blocks.keys()) observer.observe(body);
	return {
		rows,
		element: (at) => elements[at],
		at: (element) => {
			const row = element?.closest("tr") ?? null;
			return row === null ? undefined : places.get(row);
		},
		find(side, number) {
			const at = rows.findIndex((row) => linesOf(row).some((line) => sideOf(line) === side && numberOf(line) === number));
			return at < 0 ? undefined : at;
		},
		close() {
			observer.disconnect();
			for (const body of blocks.keys()) body.remove();
		},
	};
}

/** The lines of a row, the newer one last. */
export function linesOf(row: DiffRow): readonly HunkLine[] {
	if (row.kind === "hunk") return [];
	if (row.kind === "line") return [row.line];
	return [row.left, row.right].filter((line) => line !== undefined);
}

interface Draft {
	words: DiffWords;
	/** Digits of the largest number. */
	width: number;
	crlf: boolean;
}

const numbersOf = (row: DiffRow) => linesOf(row).flatMap(({ oldNumber = 0, newNumber = 0 }) => [oldNumber, newNumber]);

/** A file whose every line ends so has no news in it. */
function allCrlf(rows: readonly DiffRow[]): boolean {
	let any = false;
	for (const row of rows)
		for (const { text } of linesOf(row)) {
			if (!text.endsWith("\r")) return false;
			any = true;
		}
	return any;
}

function drawRow(row: DiffRow, draft: Draft, cells: Cell[]): HTMLTableRowElement {
	const element = make("tr", "row");
	element.tabIndex = -1;
	if (row.kind === "hunk") {
		element.className = "rv-hunk";
		const head = make("th", "rowheader");
		head.textContent = draft.words.hunk(row.hunk);
		if (draft.words.undoHunk !== undefined) head.append(undoButton(draft.words.undoHunk));
		element.append(head);
	} else if (row.kind === "line") {
		const { line, mate } = row;
		const { oldNumber, newNumber } = line;
		const numbers = `${pad(line.kind === "+" ? undefined : oldNumber, draft.width)} ${pad(line.kind === "-" ? undefined : newNumber, draft.width)}`;
		drawLine(element, { line, mate, numbers, draft, cells });
	} else {
		const { left, right } = row;
		const [mate, mated] = left === right ? [undefined, undefined] : [right, left];
		drawLine(element, { line: left, mate, numbers: pad(left?.oldNumber, draft.width), draft, cells });
		drawLine(element, { line: right, mate: mated, numbers: pad(right?.newNumber, draft.width), draft, cells });
	}
	return element;
}

/** With its role in words: rows and cells are laid out as blocks and grids, and some browsers then no longer see a table. */
export function make<K extends "tbody" | "tr" | "th" | "td">(tag: K, role: string): HTMLElementTagNameMap[K] {
	const element = document.createElement(tag);
	element.setAttribute("role", role);
	return element;
}

/** For pointers and screen readers; the same is `u` on any line of it. */
function undoButton(words: string): HTMLButtonElement {
	const button = document.createElement("button");
	button.type = "button";
	button.tabIndex = -1;
	button.className = "rv-hunk-undo";
	button.textContent = words;
	return button;
}

const pad = (number: number | undefined, width: number) => String(number ?? "").padStart(width);

/** Nothing in such a line is hidden, so that nobody has to look for it. */
const PLAIN = /^[\t\x20-\x7e]*$/;

const LOOK = { " ": "rv-same", "+": "rv-added", "-": "rv-removed" } as const;
const SIGN = { " ": " ", "+": "+", "-": "−" } as const;

interface LineDraft {
	line: HunkLine | undefined;
	mate: HunkLine | undefined;
	numbers: string;
	draft: Draft;
	cells: Cell[];
}

function drawLine(row: HTMLTableRowElement, { line, mate, numbers, draft, cells }: LineDraft): void {
	const head = make("th", "rowheader");
	const box = make("td", "cell");
	row.append(head, box);
	head.className = line === undefined ? "rv-none" : LOOK[line.kind];
	box.className = head.className;
	if (line === undefined) return;
	const { added, removed, unchanged } = draft.words;
	head.textContent = `${numbers} ${SIGN[line.kind]}`;
	head.setAttribute("aria-label", `${{ " ": unchanged, "+": added, "-": removed }[line.kind]} ${numberOf(line)}`);
	fill(box, line, draft, undefined, []);
	cells.push({ box, line, mate });
}

function fill(box: HTMLTableCellElement, line: HunkLine, draft: Draft, colours: CodeLine | undefined, marks: Marks): void {
	const whole = draft.crlf ? line.text.slice(0, -1) : line.text;
	const text = whole.slice(0, MAX_LINE_CHARS);
	const pieces = colours === undefined && marks.length === 0 && PLAIN.test(text) ? undefined : linePieces(text, colours, marks);
	if (pieces === undefined) box.textContent = text;
	else
		box.replaceChildren(
			...pieces.map(({ text: piece, kind, changed, hidden }) => {
				if (kind === "" && !changed && !hidden) return piece;
				const span = document.createElement("span");
				span.className = [kind !== "" && `tk-${kind}`, changed && "rv-word", hidden && "hidden-chars"].filter(Boolean).join(" ");
				span.textContent = piece;
				return span;
			}),
		);
	if (whole.length > text.length) box.append(aside(draft.words.moreChars(whole.length - text.length)));
	if (line.noNewline === true) box.append(aside(draft.words.noNewline));
}

/** Said about a line, not part of it. */
function aside(words: string): HTMLSpanElement {
	const span = document.createElement("span");
	span.className = "rv-more";
	span.textContent = words;
	return span;
}

/** Colours, and marks within lines, for a block that somebody looks at. */
async function refine(cells: readonly Cell[], draft: Draft, highlight: DrawOptions["highlight"]): Promise<void> {
	const marks = (cell: Cell): Marks => {
		if (cell.mate === undefined || cell.line.kind === " ") return [];
		const [before, after] = cell.line.kind === "-" ? [cell.line, cell.mate] : [cell.mate, cell.line];
		return wordMarks(before.text, after.text)?.[cell.line.kind === "-" ? "before" : "after"] ?? [];
	};
	const marked = cells.map((cell) => ({ ...cell, marks: marks(cell) }));
	for (const cell of marked) if (cell.marks.length > 0) fill(cell.box, cell.line, draft, undefined, cell.marks);
	const colours = new Map<HunkLine, CodeLine>();
	for (const other of ["+", "-"] as const) {
		const lines = [...new Set(cells.map(({ line }) => line))].filter(({ kind }) => kind !== other);
		if (lines.length === 0 || (other === "+" && lines.every(({ kind }) => kind === " "))) continue;
		const text = (line: HunkLine) => (draft.crlf ? line.text.slice(0, -1) : line.text).slice(0, MAX_LINE_CHARS);
		const found = await highlight(lines.map(text).join("\n"));
		found?.forEach((colour, index) => {
			const line = lines[index];
			if (line !== undefined) colours.set(line, colour);
		});
	}
	for (const cell of marked) {
		const colour = colours.get(cell.line);
		if (colour !== undefined) fill(cell.box, cell.line, draft, colour, cell.marks);
	}
}
