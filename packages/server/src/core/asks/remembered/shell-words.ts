/** One word of a command line after quotes and escapes are taken away: the exact characters that a program would get. */
export interface ShellWord {
	text: string;
	/** How many characters of `text` come before the first quote or backslash; `"CI"=1` is a command and no assignment. */
	bare: number;
}

/** What a redirection does with its file. `copy` is `2>&1`: it opens nothing. */
export type RedirectionKind = "read" | "write" | "copy";

export type ShellToken =
	| { kind: "word"; word: ShellWord }
	| { kind: "operator"; text: "&&" | "||" | "|" | ";" | "&" | "\n" | "(" | ")" }
	| { kind: "redirection"; does: RedirectionKind };

/** Why a command line was not read to its end; a person is asked about it as it stands. */
export type Unread =
	| "too-long"
	| "hidden-characters"
	| "unfinished-quote"
	| "expansion"
	| "substitution"
	| "here-document"
	| "comment"
	| "reserved-word"
	| "syntax";

/** Thrown and caught inside this folder only. */
export class UnreadError extends Error {
	constructor(readonly why: Unread) {
		super(why);
	}
}

/** Longer ones are asked about; the reader takes time in proportion to the length. */
export const MAX_READ_CHARS = 16_384;

// What a person cannot see, or a shell may take for a blank in one locale and not in another: controls, marks of direction, joiners, odd spaces.
const HIDDEN = /[^\P{C}\n\t]|[^\P{Z} ]|[\p{Default_Ignorable_Code_Point}\u2800]/u;
// Each of them makes other words out of a word, depending on files, variables or options of the shell.
const EXPANDING = "*?[]{}";
const BLANK = " \t";
const ENDS_WORD = " \t\n;&|<>()";
const OPERATORS = ["&&", "||", "|", ";", "&", "\n", "(", ")"] as const;
const REDIRECTIONS = [">>", ">|", ">", "<"] as const;

/** Splits a command line as bash would, or throws `UnreadError` at whatever has a meaning that the text alone does not show. */
export function shellTokens(line: string): ShellToken[] {
	if (line.length > MAX_READ_CHARS) throw new UnreadError("too-long");
	if (HIDDEN.test(line)) throw new UnreadError("hidden-characters");
	const tokens: ShellToken[] = [];
	let at = 0;
	while (at < line.length) {
		if (BLANK.includes(line.charAt(at))) at += 1;
		else if (continues(line, at)) at += 2;
		else if (line.charAt(at) === "#") throw new UnreadError("comment");
		else {
			const next = readRedirection(line, at) ?? readOperator(line, at) ?? readWord(line, at);
			tokens.push(next.token);
			at = next.end;
		}
	}
	return tokens;
}

// Only between words: inside of one, or of an operator, bash joins what stands on both lines (`2\` and `>file`).
const continues = (line: string, at: number) => line.startsWith("\\\n", at) && (at === 0 || BLANK.includes(line.charAt(at - 1)));

interface Read {
	token: ShellToken;
	end: number;
}

function readRedirection(line: string, from: number): Read | undefined {
	let at = from;
	if (line.startsWith("&>", from)) {
		const end = line.startsWith("&>>", from) ? from + 3 : from + 2;
		if (line.charAt(end) === "(") throw new UnreadError("substitution");
		return { token: { kind: "redirection", does: "write" }, end };
	}
	while (/[0-9]/.test(line.charAt(at))) at += 1;
	const operator = REDIRECTIONS.find((text) => line.startsWith(text, at));
	if (operator === undefined) return undefined;
	if (line.startsWith("<<", at)) throw new UnreadError("here-document");
	if (line.startsWith("<>", at)) throw new UnreadError("syntax");
	const end = at + operator.length;
	const after = line.charAt(end);
	if (after === "(") throw new UnreadError("substitution");
	if (after !== "&") return { token: { kind: "redirection", does: operator === "<" ? "read" : "write" }, end };
	// Only `2>&1` and its like: `>&file`, `>&-` and `1>&2-` are rare enough to be asked about.
	const copied = /^&[0-9](?=[\s;&|)]|$)/.exec(line.slice(end, end + 3));
	if (copied === null || operator === ">>" || operator === ">|") throw new UnreadError("syntax");
	return { token: { kind: "redirection", does: "copy" }, end: end + 2 };
}

function readOperator(line: string, at: number): Read | undefined {
	if ([";;", ";&", "|&", "(("].some((text) => line.startsWith(text, at))) throw new UnreadError("syntax");
	const text = OPERATORS.find((operator) => line.startsWith(operator, at));
	return text === undefined ? undefined : { token: { kind: "operator", text }, end: at + text.length };
}

function readWord(line: string, from: number): Read {
	let text = "";
	let bare: number | undefined;
	let at = from;
	while (at < line.length && !ENDS_WORD.includes(line.charAt(at))) {
		const char = line.charAt(at);
		if (char === "'" || char === '"') {
			bare ??= text.length;
			const quoted = char === "'" ? readSingle(line, at) : readDouble(line, at);
			text += quoted.text;
			at = quoted.end;
		} else if (char === "\\") {
			if (at + 1 === line.length) throw new UnreadError("unfinished-quote");
			if (line.charAt(at + 1) === "\n") throw new UnreadError("syntax");
			bare ??= text.length;
			text += line.charAt(at + 1);
			at += 2;
		} else {
			refuseExpansion(line, at, at === from ? "" : line.charAt(at - 1));
			text += char;
			at += 1;
		}
	}
	return { token: { kind: "word", word: { text, bare: bare ?? text.length } }, end: at };
}

function refuseExpansion(line: string, at: number, before: string): void {
	const char = line.charAt(at);
	if (char === "`" || line.startsWith("$(", at)) throw new UnreadError("substitution");
	if (char === "$" || EXPANDING.includes(char)) throw new UnreadError("expansion");
	if (char === "~" && (before === "" || before === "=" || before === ":")) throw new UnreadError("expansion");
	// `!` alone begins a reserved word, and inside a word it calls back history where a shell has that.
	if (char === "!") throw new UnreadError("reserved-word");
}

function readSingle(line: string, from: number): { text: string; end: number } {
	const end = line.indexOf("'", from + 1);
	if (end === -1) throw new UnreadError("unfinished-quote");
	return { text: line.slice(from + 1, end), end: end + 1 };
}

function readDouble(line: string, from: number): { text: string; end: number } {
	let text = "";
	let at = from + 1;
	while (at < line.length) {
		const char = line.charAt(at);
		const next = line.charAt(at + 1);
		if (char === '"') return { text, end: at + 1 };
		if (char === "`" || (char === "$" && next === "(")) throw new UnreadError("substitution");
		// A dollar before the closing quote is a dollar: `grep "end$"`.
		if ((char === "$" && next !== '"') || char === "!") throw new UnreadError("expansion");
		if (char === "\\" && next !== "" && '$`"\\\n'.includes(next)) {
			text += next === "\n" ? "" : next;
			at += 2;
		} else {
			text += char;
			at += 1;
		}
	}
	throw new UnreadError("unfinished-quote");
}
