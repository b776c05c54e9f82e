/** The most of a text that is made HTML at a time, so that no text keeps others waiting, whatever stands in it. */
const MAX_BLOCK_CHARS = 8_192;

/** A longer head is not said again. */
const MAX_HEAD_CHARS = 1_000;
/** The start of a paragraph or heading that belongs to nothing above it. */
const BEGINS_ANEW = /^[^\s\-*+>|\d]/;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
/** Between the head of a table and its rows. */
const TABLE_RULE = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** Markdown in blocks of bounded size, cut between paragraphs where that is possible; what is cut within a code block or a table goes on as one. */
export function* textBlocks(pieces: Iterable<string>, maxChars = MAX_BLOCK_CHARS): Generator<string> {
	let block = "";
	let fence: string | undefined;
	/** The head of the table that is open. */
	let table: string | undefined;
	let before = "";
	for (const line of linesOf(pieces, maxChars)) {
		const isFull = block.length + line.length > maxChars;
		const isGoodPlace = fence === undefined && before.trim() === "" && BEGINS_ANEW.test(line) && block.length > maxChars / 4;
		if (block !== "" && (isFull || isGoodPlace)) {
			yield block;
			block = fence === undefined ? (table ?? "") : `${fence}\n`;
		}
		block += line;
		fence = fenceAfter(line, fence);
		if (line.trim() === "" || fence !== undefined) table = undefined;
		else if (table === undefined && before.includes("|") && before.length < MAX_HEAD_CHARS && TABLE_RULE.test(line.trimEnd()))
			table = before + line;
		before = line;
	}
	if (block !== "") yield block;
}

/** The fence that is open after this line. */
function fenceAfter(line: string, open: string | undefined): string | undefined {
	const [, marks = "", rest = ""] = FENCE.exec(line.trimEnd()) ?? [];
	if (marks === "") return open;
	if (open === undefined) return marks.startsWith("`") && rest.includes("`") ? undefined : marks;
	return marks[0] === open[0] && marks.length >= open.length && rest.trim() === "" ? undefined : open;
}

/** Lines with their end; a line that is longer than the bound comes in pieces. */
function* linesOf(pieces: Iterable<string>, maxChars: number): Generator<string> {
	let rest = "";
	for (const piece of pieces) {
		rest += piece;
		let from = 0;
		for (let end = rest.indexOf("\n"); end !== -1; end = rest.indexOf("\n", from)) {
			yield* bounded(rest.slice(from, end + 1), maxChars);
			from = end + 1;
		}
		rest = rest.slice(from);
	}
	yield* bounded(rest, maxChars);
}

function* bounded(line: string, maxChars: number): Generator<string> {
	let from = 0;
	while (line.length - from > maxChars) {
		const isPair = /[\ud800-\udbff]/.test(line[from + maxChars - 1] ?? "");
		const to = from + maxChars - (isPair ? 1 : 0);
		yield line.slice(from, to);
		from = to;
	}
	if (from < line.length) yield line.slice(from);
}
