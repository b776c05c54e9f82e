/** The line that a terminal's cursor is on. Text leaves it for good with a newline, or in pieces when the line is long. */
export interface TerminalLine {
	/** Shows text, which may hold newlines, at the cursor. */
	write(text: string): void;
	carriageReturn(): void;
	moveBy(columns: number): void;
	moveTo(column: number): void;
	/** As `CSI K`: 0 behind the cursor, 1 up to it, 2 all. */
	erase(how: number): void;
	/** Goes on below, after `text`. */
	newline(text: string): void;
	/** The line as it stands. */
	current(): string;
	/** Carriage returns since the line began. */
	readonly rewrites: number;
	/** What has left the line since the last time. */
	take(): string;
}

/** A line longer than this is given out in pieces; only the newest piece can still be rewritten. */
export const MAX_LINE_CHARS = 16_384;

export function createTerminalLine(): TerminalLine {
	/** The line while nothing has moved the cursor. */
	let line = "";
	/** The line, a code point per cell, once something has; overwriting must not cost the length of the line. */
	let cells: string[] | undefined;
	let cursor = 0;
	let rewrites = 0;
	let out = "";

	const current = () => (cells === undefined ? line : cells.join(""));

	function newline(text: string): void {
		out += `${current()}${text}`;
		line = "";
		cells = undefined;
		cursor = 0;
		rewrites = 0;
	}

	function append(text: string): void {
		const last = text.lastIndexOf("\n");
		if (last >= 0) newline(text.slice(0, last + 1));
		line += last < 0 ? text : text.slice(last + 1);
		while (line.length >= MAX_LINE_CHARS) {
			const cut = isHighSurrogate(line.charCodeAt(MAX_LINE_CHARS - 1)) ? MAX_LINE_CHARS - 1 : MAX_LINE_CHARS;
			out += line.slice(0, cut);
			line = line.slice(cut);
		}
	}

	function overwrite(text: string): void {
		const end = text.indexOf("\n");
		for (const char of end < 0 ? text : text.slice(0, end)) put(char);
		if (end < 0) return;
		newline("\n");
		append(text.slice(end + 1));
	}

	function put(char: string): void {
		if (cells === undefined) {
			append(char);
			return;
		}
		cells[cursor++] = char;
		if (cells.length >= MAX_LINE_CHARS && cursor === cells.length) newline("");
	}

	function edit(): string[] {
		if (cells === undefined) {
			cells = Array.from(line);
			cursor = cells.length;
			line = "";
		}
		return cells;
	}

	function moveTo(column: number): void {
		const row = edit();
		const wanted = Math.min(Math.max(0, column), MAX_LINE_CHARS - 1);
		while (row.length < wanted) row.push(" ");
		cursor = wanted;
	}

	return {
		write: (text) => (cells === undefined ? append(text) : overwrite(text)),
		carriageReturn() {
			edit();
			cursor = 0;
			rewrites++;
		},
		moveBy(columns) {
			edit();
			moveTo(cursor + columns);
		},
		moveTo,
		erase(how) {
			// At the end of an untouched line there is nothing to erase behind the cursor.
			if (how === 0 && cells === undefined) return;
			const row = edit();
			if (how === 0) row.length = Math.min(row.length, cursor);
			else if (how === 1) row.fill(" ", 0, Math.min(cursor + 1, row.length));
			else if (how === 2) row.length = 0;
			if (how === 2) cursor = 0;
		},
		newline,
		current,
		get rewrites() {
			return rewrites;
		},
		take() {
			const taken = out;
			out = "";
			return taken;
		},
	};
}

function isHighSurrogate(code: number): boolean {
	return code >= 0xd800 && code <= 0xdbff;
}
