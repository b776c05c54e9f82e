import type { Paint, Style } from "./colour.ts";
import { safeText } from "./safe-text.ts";
import { type Piece, wrapPieces } from "./wrap.ts";

/** Of a line that has no end yet; a longer one is broken where it stands. */
const MAX_OPEN_CHARS = 20_000;

/**
 * Markdown as it comes, readable on a terminal: headings bold, code as it is, lists and quotes with their marks. A line is final when it
 * has ended; until then it is drawn again with every piece.
 */
export interface MarkdownStream {
	/** Rows that are final now. */
	push(text: string): string[];
	/** Rows of the line that has not ended yet. */
	open(): string[];
	/** The rest, final. */
	end(): string[];
}

export function createMarkdown(look: { paint: Paint; columns(): number }): MarkdownStream {
	let line = "";
	let isCode = false;

	function finish(): string[] {
		const rows = renderLine(line, isCode, look);
		if (isFence(line)) isCode = !isCode;
		line = "";
		return rows;
	}

	return {
		push(text) {
			const rows: string[] = [];
			const parts = safeText(text).split("\n");
			parts.forEach((part, index) => {
				line += part;
				if (index < parts.length - 1 || line.length > MAX_OPEN_CHARS) rows.push(...finish());
			});
			return rows;
		},
		open: () => (line === "" ? [] : renderLine(line, isCode, look)),
		end() {
			const rows = line === "" ? [] : finish();
			isCode = false;
			return rows;
		},
	};
}

const isFence = (line: string) => /^\s*(?:```|~~~)/.test(line);

function renderLine(line: string, isCode: boolean, { paint, columns }: { paint: Paint; columns(): number }): string[] {
	const room = columns() - 1;
	if (isFence(line)) return [paint(line, "dim")];
	if (isCode) return wrapPieces([{ text: line, styles: ["cyan"] }], room, paint);
	const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/.exec(line);
	if (heading !== null)
		return wrapPieces(inline(heading[2] ?? "", heading[1]?.length === 1 ? ["bold", "underline"] : ["bold"]), room, paint);
	if (/^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/.test(line)) return [paint("─".repeat(Math.min(40, room)), "dim")];
	const item = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/.exec(line);
	if (item !== null) {
		const [, indent = "", mark = "", rest = ""] = item;
		const sign = /\d/.test(mark) ? mark : "•";
		const before = `${indent.replaceAll("\t", "    ")}${sign} `;
		return wrapPieces([{ text: before, styles: ["dim"] }, ...inline(rest)], room, paint, " ".repeat(before.length));
	}
	const quote = /^\s{0,3}>\s?(.*)$/.exec(line);
	if (quote !== null) return wrapPieces(inline(quote[1] ?? "", ["italic"]), room - 2, paint).map((row) => `${paint("│", "dim")} ${row}`);
	return wrapPieces(inline(line), room, paint);
}

const INLINE = /(`+)(.+?)\1|\*\*(.+?)\*\*|__(.+?)__|(?<![\w*])\*(?!\s)([^*]+?)(?<!\s)\*(?!\w)|~~(.+?)~~|\[([^\]]+)\]\(([^)\s]+)\)/g;

/** Code, bold, italic, struck, links; anything else stands as it is. */
function inline(text: string, styles: readonly Style[] = []): Piece[] {
	const pieces: Piece[] = [];
	let from = 0;
	const add = (piece: string, ...more: readonly Style[]) => pieces.push({ text: piece, styles: [...more, ...styles] });
	for (const match of text.matchAll(INLINE)) {
		if (match.index > from) add(text.slice(from, match.index));
		const [whole, , code, bold, under, italic, struck, label, address] = match;
		if (code !== undefined) add(code, "cyan");
		else if (bold !== undefined || under !== undefined) add(bold ?? under ?? "", "bold");
		else if (italic !== undefined) add(italic, "italic");
		else if (struck !== undefined) add(struck, "dim");
		else {
			add(label ?? "", "underline");
			if (label !== address) add(` (${address})`, "dim");
		}
		from = match.index + whole.length;
	}
	if (from < text.length || pieces.length === 0) add(text.slice(from));
	return pieces;
}
