/** Turns decoded terminal output into plain text. Pure: the same input gives the same text however it is cut into pieces. */
export interface Cleaner {
	/** Text that can not change any more. */
	write(input: string): string;
	/** The current line as it stands; a later carriage return may still rewrite it. */
	pending(): string;
	/** How often the current line was rewritten; goes back to 0 with each new line. */
	rewrites(): number;
	/** The rest, when no more input comes. */
	end(): string;
}

/** A sequence without an end stops here, else one stray `ESC ]` would swallow everything after it. */
export const MAX_SEQUENCE_CHARS = 4_096;
/** A line longer than this is given out in pieces; only the newest piece can still be rewritten. */
export const MAX_LINE_CHARS = 16_384;
const MAX_CURSOR_STEP = 1_000;

type Mode = "text" | "escape" | "escape-more" | "csi" | "string" | "string-escape";

// Everything that is not simply shown. A newline is left out, and so are whole colour sequences and line ends of two
// characters: a run of coloured lines passes in one piece.
const SPECIAL =
	/[\x00-\x06\x10-\x17\x19\x1c-\x1f\x7f]+|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]|\r(?!\n)|\x1b(?!\[[\d;]{0,64}m)/;
const WITHOUT_EFFECT = /\x1b\[[\d;]{0,64}m|\r(?=\n)/g;

// Bytes that no terminal acts upon: a reader sees that they are there. Matched in runs, because each match costs.
const ODD = /^[\x00-\x06\x10-\x17\x19\x1c-\x1f\x7f]/;
const ODD_EACH = /./gs;

export function createCleaner(): Cleaner {
	const special = new RegExp(SPECIAL.source, "g");
	let mode: Mode = "text";
	let sequence = "";
	let sequenceChars = 0;
	/** The current line while nothing has moved the cursor. */
	let line = "";
	/** The current line, a code point per cell, once something has; overwriting must not cost the length of the line. */
	let cells: string[] | undefined;
	let cursor = 0;
	let rewriteCount = 0;
	let out = "";

	const current = () => (cells === undefined ? line : cells.join(""));

	const newline = (text: string) => {
		out += `${current()}${text}`;
		line = "";
		cells = undefined;
		cursor = 0;
		rewriteCount = 0;
	};

	const append = (text: string) => {
		const last = text.lastIndexOf("\n");
		if (last >= 0) newline(text.slice(0, last + 1));
		line += last < 0 ? text : text.slice(last + 1);
		while (line.length >= MAX_LINE_CHARS) {
			const cut = isHighSurrogate(line.charCodeAt(MAX_LINE_CHARS - 1)) ? MAX_LINE_CHARS - 1 : MAX_LINE_CHARS;
			out += line.slice(0, cut);
			line = line.slice(cut);
		}
	};

	const overwrite = (text: string): void => {
		const end = text.indexOf("\n");
		for (const char of end < 0 ? text : text.slice(0, end)) put(char);
		if (end < 0) return;
		newline("\n");
		append(text.slice(end + 1));
	};

	const put = (char: string) => {
		if (cells === undefined) {
			append(char);
			return;
		}
		cells[cursor++] = char;
		if (cells.length >= MAX_LINE_CHARS && cursor === cells.length) newline("");
	};

	const show = (run: string) => {
		if (run === "") return;
		const text = run.includes("\x1b") || run.includes("\r") ? run.replace(WITHOUT_EFFECT, "") : run;
		if (cells === undefined) append(text);
		else overwrite(text);
	};

	const edit = (): string[] => {
		if (cells === undefined) {
			cells = Array.from(line);
			cursor = cells.length;
			line = "";
		}
		return cells;
	};

	const moveBy = (step: number) => {
		edit();
		moveTo(cursor + step);
	};

	const moveTo = (column: number) => {
		const row = edit();
		const wanted = Math.min(Math.max(0, column), MAX_LINE_CHARS - 1);
		while (row.length < wanted) row.push(" ");
		cursor = wanted;
	};

	const carriageReturn = () => {
		edit();
		cursor = 0;
		rewriteCount++;
	};

	const eraseLine = (how: number) => {
		// At the end of an untouched line there is nothing to erase behind the cursor.
		if (how === 0 && cells === undefined) return;
		const row = edit();
		if (how === 0) row.length = Math.min(row.length, cursor);
		else if (how === 1) row.fill(" ", 0, Math.min(cursor + 1, row.length));
		else if (how === 2) row.length = 0;
		if (how === 2) cursor = 0;
	};

	const finishCsi = (final: string) => {
		const first = Number.parseInt(sequence, 10);
		const step = Math.min(Number.isNaN(first) || first === 0 ? 1 : first, MAX_CURSOR_STEP);
		if (final === "K") eraseLine(Number.isNaN(first) ? 0 : first);
		else if (final === "D") moveBy(-step);
		else if (final === "C") moveBy(step);
		else if (final === "G" || final === "`") moveTo(step - 1);
		// The cursor left this line for good; what follows must not be glued to it.
		else if ((final === "H" || final === "f") && current() !== "") newline("\n");
	};

	const control = (char: string, code: number) => {
		if (ODD.test(char)) {
			show(char.replace(ODD_EACH, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, "0")}`));
			return;
		}
		if (char === "\r") carriageReturn();
		else if (char === "\b") moveBy(-1);
		else if (char === "\x1b") begin("escape");
		else if (code === 0x9b) begin("csi");
		else if (code === 0x90 || code === 0x98 || code === 0x9d || code === 0x9e || code === 0x9f) begin("string");
		else if (code > 0x9f) show(visible(char));
	};

	const begin = (next: Mode) => {
		mode = next;
		sequence = "";
		sequenceChars = 0;
	};

	/** Consumes from `at` while inside a sequence; returns where plain text goes on. */
	const consume = (input: string, at: number): number => {
		const code = input.charCodeAt(at);
		if (code === 0x0a || code === 0x18 || code === 0x1a || ++sequenceChars > MAX_SEQUENCE_CHARS) {
			mode = "text";
			// A newline ends an unfinished sequence and is itself text.
			return code === 0x18 || code === 0x1a ? at + 1 : at;
		}
		switch (mode) {
			case "escape":
				return consumeEscape(code, at);
			case "escape-more":
				if (code < 0x20 || code > 0x2f) mode = "text";
				return code < 0x20 || code > 0x7e ? at : at + 1;
			case "csi":
				return consumeCsi(input, code, at);
			case "string-escape":
				mode = "text";
				// ESC \ ends the string; any other escape begins a sequence of its own.
				if (code === 0x5c) return at + 1;
				begin("escape");
				return at;
			case "string":
				if (code === 0x07 || code === 0x9c) mode = "text";
				else if (code === 0x1b) mode = "string-escape";
				return at + 1;
			case "text":
				return at;
		}
	};

	const consumeEscape = (code: number, at: number): number => {
		if (code === 0x5b) begin("csi");
		else if (code === 0x5d || code === 0x50 || code === 0x58 || code === 0x5e || code === 0x5f) begin("string");
		else if (code >= 0x20 && code <= 0x2f) mode = "escape-more";
		else {
			mode = "text";
			// Not an escape sequence at all: the character speaks for itself.
			if (code < 0x20 || code > 0x7e) return at;
		}
		return at + 1;
	};

	const consumeCsi = (input: string, code: number, at: number): number => {
		if (code >= 0x40 && code <= 0x7e) {
			mode = "text";
			finishCsi(input.charAt(at));
			return at + 1;
		}
		if (code >= 0x20 && code <= 0x3f) {
			if (sequence.length < 16) sequence += input.charAt(at);
			return at + 1;
		}
		mode = "text";
		return at;
	};

	return {
		write(input) {
			out = "";
			let at = 0;
			while (at < input.length) {
				if (mode !== "text") {
					at = consume(input, at);
					continue;
				}
				special.lastIndex = at;
				const match = special.exec(input);
				if (match === null) {
					show(at === 0 ? input : input.slice(at));
					break;
				}
				show(input.slice(at, match.index));
				at = match.index + match[0].length;
				control(match[0], match[0].codePointAt(0) ?? 0);
			}
			return out;
		},
		pending: current,
		rewrites: () => rewriteCount,
		end() {
			out = "";
			mode = "text";
			newline("");
			return out;
		},
	};
}

/** Characters that hide or reorder text are shown by their number, so that a reader sees what is there. */
function visible(char: string): string {
	const code = char.codePointAt(0) ?? 0;
	return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

function isHighSurrogate(code: number): boolean {
	return code >= 0xd800 && code <= 0xdbff;
}
