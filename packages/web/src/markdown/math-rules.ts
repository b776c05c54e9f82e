import type { MarkdownIt } from "markdown-it";

/** `$a$` and `\(a\)` in a line, `$$…$$` and `\[…\]` as a block. A dollar before a digit is money unless it closes like a formula. */
export function mathRules(parser: MarkdownIt): void {
	parser.inline.ruler.before("escape", "math_inline", (state, silent) => {
		const found = inlineMath(state.src, state.pos, state.posMax);
		if (found === undefined) return false;
		if (!silent) {
			const token = state.push("math_inline", "", 0);
			token.content = found.content;
			token.markup = found.display ? "$$" : "$";
		}
		state.pos = found.end;
		return true;
	});
	parser.block.ruler.before(
		"fence",
		"math_block",
		(state, startLine, endLine, silent) => {
			const text = (line: number) => state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line] ?? 0);
			const first = text(startLine);
			const [open, close] = first.startsWith("$$") ? ["$$", "$$"] : first.startsWith("\\[") ? ["\\[", "\\]"] : [];
			if (open === undefined || close === undefined || (state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
			const rest = first.slice(2).trimEnd();
			const lines: string[] = [];
			let line = startLine;
			if (rest.endsWith(close) && rest.length > 2) {
				lines.push(rest.slice(0, -2));
			} else if (rest.includes(close)) {
				return false;
			} else {
				if (rest !== "") lines.push(rest);
				for (line = startLine + 1; line < endLine; line++) {
					const now = text(line).trimEnd();
					if (now.endsWith(close)) {
						lines.push(now.slice(0, -2));
						break;
					}
					lines.push(now);
				}
			}
			if (silent) return true;
			state.line = Math.min(line + 1, endLine);
			const token = state.push("math_block", "", 0);
			token.block = true;
			token.content = lines.join("\n").trim();
			token.map = [startLine, state.line];
			return true;
		},
		{ alt: ["paragraph", "blockquote", "list"] },
	);
}

/** Longest formula inside a line. Without it each of ten thousand marks that nothing closes is searched to the end of the text. */
const MAX_FORMULA_CHARS = 1_000;

function closeOf(source: string, close: string, from: number): number {
	const found = source.slice(from, from + MAX_FORMULA_CHARS).indexOf(close);
	return found < 0 ? found : from + found;
}

function inlineMath(source: string, pos: number, max: number): { content: string; end: number; display: boolean } | undefined {
	if (source.startsWith("\\(", pos) || source.startsWith("\\[", pos)) {
		const close = source.startsWith("\\(", pos) ? "\\)" : "\\]";
		const end = closeOf(source, close, pos + 2);
		if (end < 0 || end + 2 > max || end === pos + 2) return undefined;
		return { content: source.slice(pos + 2, end), end: end + 2, display: close === "\\]" };
	}
	if (source[pos] !== "$") return undefined;
	if (source[pos + 1] === "$") {
		const end = closeOf(source, "$$", pos + 2);
		if (end < 0 || end + 2 > max || end === pos + 2) return undefined;
		return { content: source.slice(pos + 2, end), end: end + 2, display: true };
	}
	const first = source[pos + 1];
	if (first === undefined || /\s/.test(first)) return undefined;
	for (let end = pos + 2; end < Math.min(max, pos + MAX_FORMULA_CHARS); end++) {
		if (source[end] === "\n" && source[end + 1] === "\n") return undefined;
		if (source[end] !== "$" || source[end - 1] === "\\") continue;
		const before = source[end - 1] ?? "";
		const after = source[end + 1] ?? "";
		if (/\s/.test(before) || /[\d\w]/.test(after)) return undefined;
		return { content: source.slice(pos + 1, end), end: end + 1, display: false };
	}
	return undefined;
}
